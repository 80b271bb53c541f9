import * as z from 'zod/mini'

/** `link`: the one that the start prints; `sso`: the provider of single sign-on. */
export const beganBySchema = z.enum(['password', 'link', 'sso'])

/** A browser in which the reader is signed in. */
export const ownSessionSchema = z.object({
  id: z.string(),
  /** In plain words, such as `Firefox on Linux`. */
  device: z.string(),
  /** IP address that it began from; null for a session of an earlier version. */
  address: z.nullable(z.string()),
  beganBy: beganBySchema,
  beganAt: z.iso.datetime(),
  /** To the minute. */
  usedAt: z.iso.datetime(),
  /** The one that asks. */
  isThis: z.boolean(),
})
export type OwnSession = z.infer<typeof ownSessionSchema>

/** Answer of `GET /bff/sessions`, and of what ends some: the one in use first, then the last used. */
export const ownSessionsSchema = z.object({ sessions: z.array(ownSessionSchema) })
export type OwnSessions = z.infer<typeof ownSessionsSchema>
