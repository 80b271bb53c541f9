import type { RateFacts } from '#bff/vendor/client/rate-facts.ts'
import type { BudgetState, ToldWindow } from './budget-state.ts'
import { type SettledCall, waitKind } from './settled-call.ts'
import { DAY_MS, dayStartMs } from './window-usage.ts'

const MINUTE_RESET_MAX_MS = 120_000
const MINUTE_MS = 60_000
/** Resets are told in whole seconds, by another clock. */
const MARGIN_MS = 1_000
/** A plan without limits tells of none: what an earlier plan told is forgotten after this long without a word. */
const FORGET_AFTER_MS = DAY_MS
/** Fewer calls than these before a refusal say that others use the key, not what its limit is. */
const GUESS_FROM_CALLS = 10
const GUESS_FOR_MS = 7 * DAY_MS

type Windows = Pick<BudgetState, 'minute' | 'day'>

/** The windows after an answer. Its headers tell of one of the two, without saying of which. */
export function learnRates(before: Windows, facts: RateFacts, call: SettledCall): Windows {
  const windows = learnTold(before, facts, call)
  const { outcome, nowMs, usedToday, callId } = call
  if (outcome.kind !== 'told_to_wait' || waitKind(outcome.waitMs) === 'rate_limited') return windows
  // Out for the day: nothing is left, whether or not a limit was told.
  const guess = usedToday > GUESS_FROM_CALLS ? usedToday - 1 : null
  const limit = windows.day?.limit ?? guess
  const day: ToldWindow = {
    limit,
    remaining: 0,
    resetsAtMs: nowMs + Math.min(outcome.waitMs, DAY_MS + MARGIN_MS),
    toldBy: callId,
    toldAtMs: nowMs,
    guessedUntilMs: windows.day?.limit == null && guess !== null ? nowMs + GUESS_FOR_MS : null,
  }
  return { ...windows, day }
}

function learnTold(before: Windows, facts: RateFacts, { callId, nowMs }: SettledCall): Windows {
  // A window of no calls at all is no window: the answer itself came through it.
  const limit = facts.limit === 0 ? null : facts.limit
  if (limit === null && facts.remaining === null) return forgetOld(before, nowMs)
  const name = whichWindow(before, { ...facts, limit }, nowMs)
  const known = before[name]
  if (known && known.toldBy > callId) return before

  const waitMs = Math.min(
    facts.resetWaitMs ?? (name === 'day' ? restOfDay(before, nowMs) : MINUTE_MS),
    DAY_MS,
  )
  const told: ToldWindow = {
    limit: limit ?? known?.limit ?? null,
    remaining: facts.remaining,
    resetsAtMs: nowMs + waitMs + MARGIN_MS,
    toldBy: callId,
    toldAtMs: nowMs,
    guessedUntilMs: limit === null ? (known?.guessedUntilMs ?? null) : null,
  }
  // Another limit a minute is another plan: what its day allows is not known.
  const isOtherPlan = name === 'minute' && known?.limit != null && told.limit !== known.limit
  return { ...before, ...(isOtherPlan && { day: null }), [name]: told }
}

/** By the distance of the reset; near midnight that of the day is near as well, and its limit gives it away. */
function whichWindow(
  { minute, day }: Windows,
  { limit, resetWaitMs }: Pick<RateFacts, 'limit' | 'resetWaitMs'>,
  nowMs: number,
): 'minute' | 'day' {
  if (resetWaitMs !== null && resetWaitMs > MINUTE_RESET_MAX_MS) return 'day'
  const isDaysLimit = day !== null && limit !== null && limit === day.limit && limit !== minute?.limit
  return isDaysLimit && (resetWaitMs === null || restOfDay({ day }, nowMs) <= MINUTE_RESET_MAX_MS)
    ? 'day'
    : 'minute'
}

function restOfDay({ day }: Pick<Windows, 'day'>, nowMs: number): number {
  return dayStartMs(day, nowMs) + DAY_MS - nowMs
}

function forgetOld({ minute, day }: Windows, nowMs: number): Windows {
  const heardMs = Math.max(minute?.toldAtMs ?? 0, day?.toldAtMs ?? 0)
  return nowMs - heardMs > FORGET_AFTER_MS ? { minute: null, day: null } : { minute, day }
}
