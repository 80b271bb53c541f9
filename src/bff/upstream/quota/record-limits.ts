import type { RateFacts } from '#bff/upstream/client/rate-facts.ts'
import { DAY_MS, MINUTE_MS } from '#contract/duration.ts'
import { type BudgetState, dayStartMs, type ReportedLimit } from './budget-state.ts'

const MINUTE_RESET_MAX_MS = 120_000
/** Resets are reported in whole seconds, by another clock. */
const MARGIN_MS = 1_000
/** A plan without limits reports none: what an earlier plan reported is forgotten after this long without a report. */
const FORGET_AFTER_MS = DAY_MS
/** Fewer calls than these before a refusal say that others use the key, not what its limit is. */
const GUESS_FROM_CALLS = 10
const GUESS_FOR_MS = 7 * DAY_MS

type Periods = Pick<BudgetState, 'minute' | 'day'>

type AnsweredCall = {
  callId: number
  nowMs: number
  /** How long the answer says that the day's calls are used up; null where it says nothing of that. */
  dayWaitMs: number | null
  /** Our own calls of the day; null unless the vendor requested a wait. */
  usedToday: number | null
}

/** The limit periods after an answer. Its headers report one of the two, without saying which. */
export function recordLimits(before: Periods, facts: RateFacts, call: AnsweredCall): Periods {
  const periods = recordReported(before, facts, call)
  const { dayWaitMs, nowMs, usedToday, callId } = call
  if (dayWaitMs === null) return periods
  // Out for the day: nothing is left, whether or not a limit was reported.
  const guess = usedToday !== null && usedToday > GUESS_FROM_CALLS ? usedToday - 1 : null
  const limit = periods.day?.limit ?? guess
  const day: ReportedLimit = {
    limit,
    remaining: 0,
    resetsAtMs: nowMs + Math.min(dayWaitMs, DAY_MS + MARGIN_MS),
    reportedBy: callId,
    reportedAtMs: nowMs,
    guessedUntilMs: periods.day?.limit == null && guess !== null ? nowMs + GUESS_FOR_MS : null,
  }
  return { ...periods, day }
}

function recordReported(before: Periods, facts: RateFacts, { callId, nowMs }: AnsweredCall): Periods {
  // A limit of no calls at all is no limit: the answer itself came through it.
  const limit = facts.limit === 0 ? null : facts.limit
  if (limit === null && facts.remaining === null) return forgetOld(before, nowMs)
  const name = whichPeriod(before, { ...facts, limit }, nowMs)
  const known = before[name]
  if (known && known.reportedBy > callId) return before

  const waitMs = Math.min(
    facts.resetWaitMs ?? (name === 'day' ? restOfDay(before.day, nowMs) : MINUTE_MS),
    DAY_MS,
  )
  const reported: ReportedLimit = {
    limit: limit ?? known?.limit ?? null,
    remaining: facts.remaining,
    resetsAtMs: nowMs + waitMs + MARGIN_MS,
    reportedBy: callId,
    reportedAtMs: nowMs,
    guessedUntilMs: limit === null ? (known?.guessedUntilMs ?? null) : null,
  }
  // Another limit a minute is another plan: what its day allows is not known.
  const isOtherPlan = name === 'minute' && known?.limit != null && reported.limit !== known.limit
  return { ...before, ...(isOtherPlan && { day: null }), [name]: reported }
}

/** Distinguishes periods by the distance of the reset. Near midnight both are near, and the day's limit decides. */
function whichPeriod(
  { minute, day }: Periods,
  { limit, resetWaitMs }: RateFacts,
  nowMs: number,
): 'minute' | 'day' {
  if (resetWaitMs !== null && resetWaitMs > MINUTE_RESET_MAX_MS) return 'day'
  const isDaysLimit = day !== null && limit !== null && limit === day.limit && limit !== minute?.limit
  return isDaysLimit && (resetWaitMs === null || restOfDay(day, nowMs) <= MINUTE_RESET_MAX_MS)
    ? 'day'
    : 'minute'
}

function restOfDay(day: Periods['day'], nowMs: number): number {
  return dayStartMs(day, nowMs) + DAY_MS - nowMs
}

function forgetOld({ minute, day }: Periods, nowMs: number): Periods {
  const heardMs = Math.max(minute?.reportedAtMs ?? 0, day?.reportedAtMs ?? 0)
  return nowMs - heardMs > FORGET_AFTER_MS ? { minute: null, day: null } : { minute, day }
}
