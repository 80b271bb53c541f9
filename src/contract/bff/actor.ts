import * as z from 'zod/mini'
import { freshnessSchema } from './freshness.ts'
import { otherFieldSchema } from './other-field.ts'

/** One threat actor. Absent is null or an empty list; nothing is invented. All text is third-party text. */
export const actorSchema = z.object({
  name: z.string(),
  /** Records that name the actor. */
  mentions: z.nullable(z.int()),
  /** ISO 8601 UTC. */
  latestObservedAt: z.nullable(z.iso.datetime()),
  categories: z.array(z.string()),
  otherFields: z.array(otherFieldSchema),
})
export type Actor = z.infer<typeof actorSchema>

/** Query of `GET /bff/actors`. A trial key may ask for 50 at most. */
export const actorListQuerySchema = z.object({
  limit: z._default(
    z.pipe(
      z.string().check(z.regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100')),
      z.transform(Number),
    ),
    50,
  ),
})
export type ActorListQuery = z.infer<typeof actorListQuerySchema>

/** Answer of `GET /bff/actors`, in the order of the source. */
export const actorListSchema = z.object({
  actors: z.array(actorSchema),
  /** Entries that could not be read. */
  unreadable: z.int(),
  freshness: freshnessSchema,
})
export type ActorList = z.infer<typeof actorListSchema>
