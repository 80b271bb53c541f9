import { DAY_MS } from '#contract/duration.ts'

const FALLBACK_MS = 60_000
const MIN_MS = 1_000
const MAX_MS = DAY_MS
/** The vendor's seconds are rounded, and our clock is not its clock. */
const MARGIN_MS = 1_000
/** A year: somebody took one unit for another. */
const NONSENSE_FROM_MS = 365 * MAX_MS

const SPAN = /(\d+(?:\.\d+)?)\s*(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)\b/gi
/** Keys are the first letters of units. */
const SECONDS_OF: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 }

/** Below it a reset is seconds from now, above it epoch seconds. */
const EPOCH_SECONDS_FROM = 1e9
const EPOCH_MILLISECONDS_FROM = 1e11
/** Later years have no four-digit form, which is what readers of our answers take. */
const YEAR_10000_MS = Date.UTC(10_000, 0)

export type WaitHints = {
  /** `retry_after` of the body. */
  retryAfterField: unknown
  retryAfterHeader: string | undefined
  resetHeader: string | undefined
  message: string | null
  /** The vendor's clock, epoch milliseconds. */
  nowMs: number
}

/** Returns how long a 429 requests to wait, within a second and a day; a minute if it does not state a time. */
export function readRetryWait(hints: WaitHints): number {
  return readStatedWait(hints) ?? FALLBACK_MS + MARGIN_MS
}

/** Returns the wait of the first valid hint; null if there is none. */
export function readStatedWait({
  retryAfterField,
  retryAfterHeader,
  resetHeader,
  message,
  nowMs,
}: WaitHints): number | null {
  const waitMs =
    sensible(secondsIn(retryAfterField)) ??
    sensible(secondsIn(retryAfterHeader) ?? dateWait(retryAfterHeader, nowMs)) ??
    // A reset that is now, or was, contradicts the refusal.
    sensible(readResetWait(resetHeader, nowMs) || null) ??
    sensible(waitInWords(message ?? ''))
  return waitMs === null ? null : Math.min(Math.max(waitMs, MIN_MS), MAX_MS) + MARGIN_MS
}

/** Milliseconds until a reset that comes as seconds from now, epoch seconds, epoch milliseconds or a date. */
export function readResetWait(reset: string | undefined, nowMs: number): number | null {
  const value = numberIn(reset)
  if (value === null) return dateWait(reset, nowMs)
  if (value < EPOCH_SECONDS_FROM) return value * 1000
  return value < EPOCH_MILLISECONDS_FROM ? value * 1000 - nowMs : value - nowMs
}

/** Epoch milliseconds of a time that comes as ISO 8601, epoch seconds or epoch milliseconds. */
export function readEpochMs(text: string | undefined): number | null {
  const value = numberIn(text)
  if (value === null) return toDateMs(text)
  if (value < EPOCH_SECONDS_FROM) return null
  const epochMs = value < EPOCH_MILLISECONDS_FROM ? value * 1000 : value
  return toDateMs(epochMs)
}

function sensible(waitMs: number | null): number | null {
  return waitMs !== null && waitMs >= 0 && waitMs <= NONSENSE_FROM_MS ? waitMs : null
}

function secondsIn(value: unknown): number | null {
  const seconds = numberIn(value)
  return seconds === null ? null : seconds * 1000
}

/** The last span of time in a sentence: limits are named before the wait. */
function waitInWords(message: string): number | null {
  const [, count, unit] = [...message.matchAll(SPAN)].at(-1) ?? []
  const seconds = SECONDS_OF[unit?.at(0)?.toLowerCase() ?? '']
  const waitMs = secondsIn(count)
  return waitMs === null || seconds === undefined ? null : waitMs * seconds
}

function dateWait(text: string | undefined, nowMs: number): number | null {
  const dateMs = toDateMs(text)
  return dateMs === null ? null : dateMs - nowMs
}

function toDateMs(value: string | number | undefined): number | null {
  const dateMs = value === undefined || value === '' ? Number.NaN : new Date(value).getTime()
  return dateMs >= 0 && dateMs < YEAR_10000_MS ? dateMs : null
}

function numberIn(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' && /^\s*-?\d{1,16}(\.\d+)?\s*$/.test(value) ? Number(value) : null
}
