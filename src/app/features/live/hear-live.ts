import { isSignedOut } from '#app/api/api-error.ts'
import { doubtConnection } from '#app/api/connection.ts'
import { openEvents } from '#app/api/open-events.ts'
import { LIVE_MISSED_MAX_MS, type LiveEvent, liveEventSchema } from '#contract/bff/live.ts'

const LOCK = 'lantern-live'
/** After an end without a failure: the session may be over, and its pages are to hear so soon. Not for each of many. */
const RETRY_AT_ONCE_MS = 200
const FEW_MS = 10_000
const RETRY_MIN_MS = 2_000
const RETRY_MAX_MS = 60_000

export type HearLiveOptions = {
  signal: AbortSignal
  onEvent(event: LiveEvent): void
  /** What came while nobody listened is unknown: everything may have changed. */
  onGap(): void
  onSignedOut(): void
}

/** Hears what changes, with one connection for all tabs of the browser: the one with the lock listens and passes it to the others. */
export function hearLive({ signal, onEvent, onGap, onSignedOut }: HearLiveOptions): void {
  // Browsers have locks where the page came safely. Without them what polls by itself still does.
  if (!('locks' in navigator)) return
  const channel = new BroadcastChannel(LOCK)
  signal.addEventListener('abort', () => channel.close(), { once: true })
  channel.onmessage = ({ data }) => {
    const event = liveEventSchema.safeParse(data).data
    if (event) onEvent(event)
    else onGap()
  }
  const tell = (event: LiveEvent | null) => {
    if (signal.aborted) return
    channel.postMessage(event)
    if (event) onEvent(event)
    else onGap()
  }
  takeTurn({ tell, onSignedOut, signal }).catch(() => {})
}

type Turn = { tell(event: LiveEvent | null): void; onSignedOut(): void; signal: AbortSignal }

/** A page that listens at once hears what came while it loaded; one that had to wait takes over from another. */
async function takeTurn(turn: Turn): Promise<void> {
  const { locks } = navigator
  const wasFree = await locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock) await listen(turn, false)
    return lock !== null
  })
  if (!wasFree) await locks.request(LOCK, { signal: turn.signal }, () => listen(turn, true))
}

async function listen({ tell, onSignedOut, signal }: Turn, isTakeover: boolean): Promise<void> {
  let waitMs = RETRY_MIN_MS
  let nextMs = RETRY_AT_ONCE_MS
  let endedAt = Number.NEGATIVE_INFINITY
  let mayHaveMissed = isTakeover
  const begin = () => {
    waitMs = RETRY_MIN_MS
    if (mayHaveMissed) tell(null)
  }
  while (!signal.aborted) {
    try {
      // What the page shows was asked for after its document: since then, whatever came may be missing.
      const missed = mayHaveMissed ? 0 : Math.min(Math.ceil(performance.now()), LIVE_MISSED_MAX_MS)
      const events = openEvents('live', liveEventSchema, { query: { missed }, signal, onOpen: begin })
      for await (const event of events) tell(event)
      const isOneOfMany = performance.now() - endedAt < FEW_MS
      endedAt = performance.now()
      nextMs = isOneOfMany ? waitMs : RETRY_AT_ONCE_MS
    } catch (error) {
      if (signal.aborted) return
      if (isSignedOut(error)) return onSignedOut()
      // Where it had to be waited for, it answers now.
      const wasAway = await doubtConnection()
      nextMs = wasAway ? RETRY_AT_ONCE_MS : waitMs
      waitMs = Math.min(waitMs * 2, RETRY_MAX_MS)
    }
    if (signal.aborted) return
    mayHaveMissed = true
    await pause(nextMs * (0.5 + Math.random()), signal)
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', end, { once: true })
  })
}
