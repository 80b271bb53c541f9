import * as z from 'zod/mini'
import { ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { LIVE_MISSED_MAX_MS } from '#contract/bff/live.ts'
import { countSchema } from '#contract/upstream/query-schemas.ts'
import type { LiveHub } from './live-hub.ts'
import { openLiveStream, type ReadPosition } from './live-stream.ts'

/** Each is a connection, and the heartbeat of one: far more than a team has browsers. */
const STREAMS_MAX_COUNT = 1_000
/** A person has a browser or three. */
const STREAMS_OF_ACCOUNT_MAX_COUNT = 50

const liveQuerySchema = z.object({
  /** The last change that the page has heard of. */
  after: z.optional(countSchema({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  /** The stream begins with the events of so many milliseconds before it. */
  missed: z.optional(countSchema({ minimum: 0, maximum: LIVE_MISSED_MAX_MS })),
})

export function liveRoutes(hub: LiveHub, readPosition: ReadPosition): BffRoute[] {
  return [
    defineRoute('GET /bff/live', {
      access: 'viewer',
      query: liveQuerySchema,
      async answer({ query: { after = null, missed = 0 }, session, request }) {
        const isFull =
          hub.size >= STREAMS_MAX_COUNT || hub.countOf(session.user.id) >= STREAMS_OF_ACCOUNT_MAX_COUNT
        if (isFull) {
          throw new ProblemError({
            code: 'too_many_attempts',
            detail: 'Too many pages are listening. This one updates by itself every now and then.',
          })
        }
        const stream = openLiveStream({
          hub,
          accountId: session.user.id,
          gone: request.signal,
          missedMs: missed,
          readPosition,
          shownAt: after,
        })
        return { stream, contentType: 'text/event-stream' }
      },
    }),
  ]
}
