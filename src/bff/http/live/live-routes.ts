import * as z from 'zod/mini'
import { ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { LIVE_MISSED_MAX_MS, type LiveEvent } from '#contract/bff/live.ts'
import { countSchema } from '#contract/upstream/query-schemas.ts'
import type { LiveHub } from './live-hub.ts'

/** Each is a connection, and the heartbeat of one: far more than a team has browsers. */
const STREAMS_MAX_COUNT = 1_000
/** A person has a browser or three. */
const STREAMS_OF_ACCOUNT_MAX_COUNT = 50

/** Shorter than the patience of proxies with a silent connection. */
const HEARTBEAT_MS = 20_000
/** A page comes back by itself; then its session is looked at again. */
const LIFE_MS = 5 * 60_000
/** A page reconnects after this time. */
const RETRY_MS = 2_000
/** A page that reads no more than this behind is not listening. */
const BACKLOG_MAX_COUNT = 100

const encoder = new TextEncoder()

const liveQuerySchema = z.object({
  /** The last change that the page has heard of. */
  after: z.optional(countSchema({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  /** The stream begins with the events of so many milliseconds before it. */
  missed: z.optional(countSchema({ minimum: 0, maximum: LIVE_MISSED_MAX_MS })),
})

/** Reads the end of the change log; `isAnew` if records may be deleted that were shown at an earlier change. */
type ReadPosition = (shownAt: number | null) => Promise<{ last: number; isAnew: boolean }>

export function liveRoutes(hub: LiveHub, readPosition: ReadPosition): BffRoute[] {
  return [
    defineRoute('GET /bff/live', {
      access: 'viewer',
      query: liveQuerySchema,
      async answer({ query: { after = null, missed = 0 }, session, request }) {
        const isFull =
          hub.size >= STREAMS_MAX_COUNT || hub.countOf(session.user.id) >= STREAMS_OF_ACCOUNT_MAX_COUNT
        if (isFull)
          throw new ProblemError({
            code: 'too_many_attempts',
            detail: 'Too many pages are listening. This one updates by itself every now and then.',
          })
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

/** `missedMs`: the stream begins with the events of so many milliseconds before it. */
type LiveStreamOptions = {
  hub: LiveHub
  accountId: string
  missedMs: number
  readPosition: ReadPosition
  /** The last change that the page shows. */
  shownAt: number | null
  gone: AbortSignal
}

/**
 * Events as `text/event-stream` (HTML Living Standard, 9.2), until the page goes away, a session of its account, the
 * server or five minutes.
 */
function openLiveStream({
  hub,
  accountId,
  missedMs,
  readPosition,
  shownAt,
  gone,
}: LiveStreamOptions): ReadableStream<Uint8Array<ArrayBuffer>> {
  let leave = () => {}
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        const over = AbortSignal.any([gone, hub.closed, AbortSignal.timeout(LIFE_MS)])
        const write = (text: string) => controller.enqueue(encoder.encode(text))
        const hear = (event: LiveEvent) => {
          if ((controller.desiredSize ?? 0) <= 0) end()
          else write(`data: ${JSON.stringify(event)}\n\n`)
        }
        const unsubscribe = hub.subscribe({ accountId, hear, end })
        const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT_MS)
        let isOpen = true
        leave = () => {
          isOpen = false
          clearInterval(heartbeat)
          unsubscribe()
          over.removeEventListener('abort', end)
        }
        function end() {
          leave()
          controller.close()
        }
        over.addEventListener('abort', end)
        write(`retry: ${RETRY_MS}\n\n`)
        for (const event of hub.publishedWithin(missedMs)) hear(event)
        // Events meanwhile are already received: none is lost between the position and the events.
        readPosition(shownAt).then(
          (position) => isOpen && hear({ kind: 'position', ...position }),
          // While the database is away, whatever the page shows may be old.
          () => isOpen && hear({ kind: 'window' }),
        )
        if (over.aborted) end()
      },
      cancel: () => leave(),
    },
    { highWaterMark: BACKLOG_MAX_COUNT },
  )
}
