import * as z from 'zod/mini'

/** What the crowd's process reads from its standard input. */
export const crowdPlanSchema = z.object({
  origin: z.string(),
  /** Of the people who are signed in. */
  cookies: z.array(z.string()),
  /** Of stored threats, newest first. */
  threatIds: z.array(z.string()),
  /** Open streams of live events. */
  streams: z.int(),
  perSecond: z.int(),
  warmUpSeconds: z.int(),
  seconds: z.int(),
  seed: z.int(),
})
export type CrowdPlan = z.infer<typeof crowdPlanSchema>

/** One request, from the moment it was due to the end of its answer; status 0 where none came. */
export const answerSchema = z.object({ route: z.string(), status: z.int(), ms: z.number() })
export type Answer = z.infer<typeof answerSchema>

/** What the crowd's process prints at its end. */
export const crowdFiguresSchema = z.object({
  answers: z.array(answerSchema),
  /** How much later than due each request was sent: the crowd's own slowness, which is part of the times. */
  lateMs: z.array(z.number()),
  streams: z.object({ ended: z.int(), events: z.int() }),
})
export type CrowdFigures = z.infer<typeof crowdFiguresSchema>
