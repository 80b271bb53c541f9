import { HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
import type { Answer } from './channels/channel.ts'

const SECOND_MS = 1_000

/** Matches within this time after a message are grouped into the next one. */
export const GROUP_MS = MINUTE_MS
/** The most match messages per destination and hour. Further matches are combined into one later message. */
export const HOURLY_CAP = 20
export const CAP_PERIOD_MS = HOUR_MS

const RETRIES_FOR_MS = 24 * HOUR_MS
const BACKOFF_FIRST_MS = 5 * SECOND_MS
const BACKOFF_MAX_MS = HOUR_MS
const BACKOFF_MIN_MS = SECOND_MS

/** Consecutive refusals that open the circuit breaker. */
const BREAKER_FAILURES = 5
const BREAKER_FIRST_MS = 30 * SECOND_MS
const BREAKER_MAX_MS = 30 * MINUTE_MS

/** The rate limit of a destination: one message per `everyMs` on average, `burst` at once. */
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
  // An attempt at a time that the destination requested may be later than `retriesUntil`.
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

/** A token bucket (GCRA): returns when the message after this one may be sent. */
export function freeAfter(freeAt: Date | null, now: Date, { everyMs, burst }: Rate): Date {
  const filledBy = (burst - 1) * everyMs
  const arrivesAt = Math.max(now.getTime(), (freeAt?.getTime() ?? 0) + filledBy)
  return new Date(arrivesAt + everyMs - filledBy)
}

/** Counts consecutive refusals. No message is sent before `notBefore`. */
export type Breaker = { readonly failures: number; readonly notBefore: Date | null }

/**
 * Returns the breaker state after an answer. A permanent refusal of a message proves that the destination is reachable.
 */
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

/** After the breaker was open, one trial message is sent while the others wait. */
export function isTrial(failures: number): boolean {
  return failures >= BREAKER_FAILURES
}

export function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms)
}
