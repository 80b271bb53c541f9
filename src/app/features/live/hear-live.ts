import * as z from 'zod/mini'
import { isSignedOut } from '#app/api/api-error.ts'
import { doubtConnection } from '#app/api/connection.ts'
import { openEvents } from '#app/api/open-stream.ts'
import { LIVE_MISSED_MAX_MS, type LiveEvent, liveEventSchema } from '#contract/bff/live.ts'

const LOCK = 'lantern-live'
/** After an end without a failure: the session may be over, and its pages are to hear so soon. Not for each of many. */
const RETRY_AT_ONCE_MS = 200
const FEW_MS = 10_000
const RETRY_MIN_MS = 2_000
const RETRY_MAX_MS = 60_000

/** A tab that listens answers at once; one of another version, or one that hangs, never does. */
const ANSWER_WITHIN_MS = 3_000

export type HearLiveOptions = {
  signal: AbortSignal
  /** Since when, in ms of the epoch, what came may be missing from what the page shows. */
  since?: number
  onEvent(event: LiveEvent): void
  /** Events from a time without a listener are lost, except changes of stored threats: a `position` follows. */
  onGap(): void
  onSignedOut(): void
}

/** Null is a gap. */
const heardSchema = z.nullable(liveEventSchema)
type Heard = z.infer<typeof heardSchema>
/** Beside what they hear, tabs tell each other these: a new one asks what came since, and is answered by its token. */
const askSchema = z.object({ asker: z.string(), since: z.number() })
const answerSchema = z.object({ answered: z.string(), missed: z.array(heardSchema) })

/** Hears what changes, with one connection for all tabs of the browser: the one with the lock listens and passes it to the others. */
export function hearLive({
  signal,
  since = performance.timeOrigin,
  onEvent,
  onGap,
  onSignedOut,
}: HearLiveOptions): void {
  // Browsers have locks where the page came safely. Without them what polls by itself still does.
  if (!('locks' in navigator)) return
  const channel = new BroadcastChannel(LOCK)
  signal.addEventListener('abort', () => channel.close(), { once: true })
  const token = crypto.randomUUID()
  const kept = keepHeard()
  let isWaiting = false
  let last: number | undefined
  const take = (heard: Heard) => {
    last = heard?.last ?? last
    if (heard) return onEvent(heard)
    isWaiting = false
    onGap()
  }
  channel.onmessage = ({ data }) => {
    const ask = askSchema.safeParse(data).data
    const answer = answerSchema.safeParse(data).data
    if (ask) {
      const missed = kept.since(ask.since)
      if (missed) channel.postMessage({ answered: ask.asker, missed })
    } else if (answer) {
      if (answer.answered !== token || !isWaiting) return
      isWaiting = false
      answer.missed.forEach(take)
    } else {
      const heard = liveEventSchema.safeParse(data).data ?? null
      // Until the answer, which has it.
      if (!isWaiting || heard === null) take(heard)
    }
  }
  const tell = (heard: Heard) => {
    if (signal.aborted) return
    kept.add(heard)
    channel.postMessage(heard)
    take(heard)
  }
  const catchUp = () => {
    isWaiting = true
    channel.postMessage({ asker: token, since })
    pause(ANSWER_WITHIN_MS, signal).then(() => {
      if (!isWaiting || signal.aborted) return
      take(null)
      take({ kind: 'window' })
    })
  }
  takeTurn({ since, lastChange: () => last, begin: kept.begin, tell, catchUp, onSignedOut, signal }).catch(
    () => {},
  )
}

/** Recent events of the tab that holds the connection. */
function keepHeard() {
  const all: { at: number; heard: Heard }[] = []
  let completeSince: number | null = null
  let last: number | undefined
  return {
    /** From now on this tab listens, and hears what came since then. */
    begin(from: number) {
      completeSince = from
    },
    add(heard: Heard) {
      const at = now()
      last = heard?.last ?? last
      all.push({ at, heard })
      while (all[0] && all[0].at < at - LIVE_MISSED_MAX_MS) all.shift()
    },
    /** Null where another tab listens. What cannot be known is a gap. */
    since(time: number): Heard[] | null {
      if (completeSince === null) return null
      const isKnown = time >= Math.max(completeSince, now() - LIVE_MISSED_MAX_MS)
      const heard = isKnown ? all.filter(({ at }) => at >= time).map((one) => one.heard) : [null]
      return last === undefined ? heard : [...heard, { kind: 'position', last }]
    },
  }
}

/** In ms of the epoch, as all tabs count it. */
function now(): number {
  return performance.timeOrigin + performance.now()
}

type Turn = {
  since: number
  /** The last change that this tab has heard of. */
  lastChange(): number | undefined
  begin(from: number): void
  tell(heard: Heard): void
  catchUp(): void
  onSignedOut(): void
  signal: AbortSignal
}

/** A page that listens at once hears what came while it loaded; one that has to wait asks for it, and may take over later. */
async function takeTurn(turn: Turn): Promise<void> {
  const { locks } = navigator
  const wasFree = await locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock) await listen(turn, false)
    return lock !== null
  })
  if (wasFree) return
  turn.catchUp()
  await locks.request(LOCK, { signal: turn.signal }, () => listen(turn, true))
}

async function listen(
  { since, lastChange, begin, tell, onSignedOut, signal }: Turn,
  isTakeover: boolean,
): Promise<void> {
  let waitMs = RETRY_MIN_MS
  let nextMs = RETRY_AT_ONCE_MS
  let endedAt = Number.NEGATIVE_INFINITY
  let mayHaveMissed = isTakeover
  // Whoever takes over tells of a gap as soon as it hears anything.
  begin(isTakeover ? 0 : Math.max(since, now() - LIVE_MISSED_MAX_MS))
  const greet = () => {
    waitMs = RETRY_MIN_MS
    if (mayHaveMissed) tell(null)
  }
  while (!signal.aborted) {
    try {
      // The page requested its data after its document, so records that came since then may be missing.
      const missed = mayHaveMissed ? 0 : Math.min(Math.ceil(now() - since), LIVE_MISSED_MAX_MS)
      const after = lastChange()
      const query = { missed, ...(after !== undefined && { after }) }
      const events = openEvents('live', liveEventSchema, { query, signal, onOpen: greet })
      for await (const event of events) tell(event)
      const isOneOfMany = performance.now() - endedAt < FEW_MS
      endedAt = performance.now()
      nextMs = isOneOfMany ? waitMs : RETRY_AT_ONCE_MS
    } catch (error) {
      if (signal.aborted) return
      if (isSignedOut(error)) return onSignedOut()
      // True if the connection was away and is back.
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
