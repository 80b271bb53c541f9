import type { LiveEvent } from '#contract/bff/live.ts'
import type { LiveHub } from './live-hub.ts'

/** Shorter than the patience of proxies with a silent connection. */
const HEARTBEAT_MS = 20_000
/** A page comes back by itself; then its session is looked at again. */
const LIFE_MS = 5 * 60_000
/** A page reconnects after this time. */
const RETRY_MS = 2_000
/** A page that reads no more than this behind is not listening. */
const BACKLOG_MAX_COUNT = 100

const encoder = new TextEncoder()

/** Reads the end of the change log; `isAnew` if records may be deleted that were shown at an earlier change. */
export type ReadPosition = (shownAt: number | null) => Promise<{ last: number; isAnew: boolean }>

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
export function openLiveStream({
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
