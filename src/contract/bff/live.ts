import * as z from 'zod/mini'

/** An opened page hears what came while it loaded; whoever was away for longer has everything to look at again. */
export const LIVE_MISSED_MAX_MS = 30_000

/**
 * Kinds of data that an open page may have to read again. `position` begins each connection: data of an earlier change is
 * old.
 */
export const liveKindSchema = z.enum([
  'window',
  'position',
  'data',
  'source',
  'triage',
  'views',
  'lists',
  'cases',
  'profiles',
  'inbox',
  'history',
])
export type LiveKind = z.infer<typeof liveKindSchema>

/**
 * One event of `GET /bff/live` (`text/event-stream`, each `data` a JSON document). It says what has changed; the page
 * reads it by the usual routes, free.
 */
export const liveEventSchema = z.object({
  kind: liveKindSchema,
  /** With `triage`: the threats, where they are few enough to name. */
  ids: z.optional(z.array(z.string())),
  /** With `window` and `position`: the number of the last change of the change log. */
  last: z.optional(z.int()),
  /** With `window` and `position`: what a page shows may be gone. */
  isAnew: z.optional(z.boolean()),
  /** With `data`: what has come to the vendor and gone from it, where it says so. */
  change: z.optional(z.object({ added: z.int(), removed: z.int() })),
})
export type LiveEvent = z.infer<typeof liveEventSchema>
