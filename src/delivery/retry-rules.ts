import { HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
import type { Answer } from './channels/channel.ts'

const SECOND_MS = 1_000

/** Matches within this time after a message are grouped into the next one. */
export const GROUP_MS = MINUTE_MS
/** Messages of matches to a destination in an hour; what is more is held back and becomes one. */
export const HOURLY_CAP = 20
export const CAP_PERIOD_MS = HOUR_MS

const RETRIES_FOR_MS = 24 * HOUR_MS
const BACKOFF_FIRST_MS = 5 * SECOND_MS
const BACKOFF_MAX_MS = HOUR_MS
const BACKOFF_MIN_MS = SECOND_MS

/** Refusals in a row that open the circuit breaker. */
const BREAKER_FAILURES = 5
const BREAKER_FIRST_MS = 30 * SECOND_MS
const BREAKER_MAX_MS = 30 * MINUTE_MS

/** Messages to one destination: on average, and at once. */
export type Rate = { readonly everyMs: number; readonly burst: number }
export const RATE: Rate = { everyMs: SECOND_MS, burst: 3 }

export type Verdict =
  | { readonly state: 'sent' | 'failed' | 'unclear' }
  | { readonly state: 'retrying'; readonly nextAttemptAt: Date }

type Attempted = {
  readonly answer: Answer
  readonly kind: 'matches' | 'digest' | 'test' | 'notice'
  /** Attempts count from 1. */
  readonly number: number
  readonly retriesUntil: Date
  /** An earlier attempt ended without an answer. */
  readonly mayHaveArrived: boolean
  readonly recognizesRepeats: boolean
  readonly now: Date
  readonly random: () => number
}

/**
 * A test is tried once, because a person waits for it. An unclear delivery is repeated only if the receiver recognizes
 * duplicates.
 */
export function judge(attempted: Attempted): Verdict {
  const { answer, kind, mayHaveArrived, recognizesRepeats, now } = attempted
  if (answer.kind === 'accepted') return { state: 'sent' }
  const isUnclear = answer.kind === 'unclear' || mayHaveArrived
  const end = { state: isUnclear ? 'unclear' : 'failed' } as const
  if (kind === 'test' || (answer.kind === 'unclear' && !recognizesRepeats)) return end
  if (answer.kind === 'refused' && answer.isPermanent) return end
  const requestedMs = answer.kind === 'refused' ? (answer.retryAfterMs ?? 0) : 0
  const nextAttemptAt = later(now, Math.max(requestedMs, backoffMs(attempted.number, attempted.random)))
  // A destination that names a time within its day is tried then, even where that is after the day.
  const isOver = (requestedMs > 0 ? now : nextAttemptAt) > attempted.retriesUntil
  return isOver ? end : { state: 'retrying', nextAttemptAt }
}

/** Full jitter: anywhere up to a limit that doubles. */
function backoffMs(number: number, random: () => number): number {
  const limit = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** (number - 1))
  return Math.max(BACKOFF_MIN_MS, random() * limit)
}

export function retriesUntil(firstAttemptAt: Date): Date {
  return later(firstAttemptAt, RETRIES_FOR_MS)
}

/** A token bucket by its theoretical arrival time: when the message after one that goes now may go. */
export function freeAfter(freeAt: Date | null, now: Date, { everyMs, burst }: Rate): Date {
  const filledBy = (burst - 1) * everyMs
  const arrivesAt = Math.max(now.getTime(), (freeAt?.getTime() ?? 0) + filledBy)
  return new Date(arrivesAt + everyMs - filledBy)
}

/** Refusals in a row, and until when a destination is left alone. */
export type Breaker = { readonly failures: number; readonly notBefore: Date | null }

/** After an answer. What it refuses for good says that it is there. */
export function nextBreaker(failures: number, answer: Answer, now: Date): Breaker {
  if (answer.kind === 'accepted' || (answer.kind === 'refused' && answer.isPermanent))
    return { failures: 0, notBefore: null }
  const next = failures + 1
  const requestedMs = answer.kind === 'refused' ? (answer.retryAfterMs ?? 0) : 0
  const over = next - BREAKER_FAILURES
  const open = over < 0 ? 0 : Math.min(BREAKER_MAX_MS, BREAKER_FIRST_MS * 2 ** over)
  const waitMs = Math.max(requestedMs, open)
  return { failures: next, notBefore: waitMs > 0 ? later(now, waitMs) : null }
}

/** Once it was open, one message tries the destination while the others wait. */
export function isTrial(failures: number): boolean {
  return failures >= BREAKER_FAILURES
}

export function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms)
}
