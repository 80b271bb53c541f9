import type { ConnectionFault } from '#bff/upstream/client/connection-fault.ts'
import { joinOwnService } from '#bff/upstream/client/own-service.ts'
import type { RateFacts } from '#bff/upstream/client/rate-facts.ts'
import type { CallFailure } from '#contract/bff/source.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
import {
  ABSENT_FOR_MAX_MS,
  type BudgetState,
  dayStartMs,
  FORBIDDEN_FOR_MS,
  type Forbidden,
  type ReportedLimit,
} from './budget-state.ts'

const UNSTATED_WAIT_MAX_MS = 15 * 60_000
const FAILURES_MAX = 5
const BREAK_FOR_MS = 30_000
const BREAK_FOR_MAX_MS = 5 * 60_000
const DAILY_FROM_MS = HOUR_MS

/** The outcome of a call, as far as later calls depend on it. */
export type Outcome =
  | { kind: 'answered' }
  /** The request was refused, not the key. */
  | { kind: 'refused' }
  /** Words: the vendor's, cleaned. Third-party text. */
  | { kind: 'key_refused'; words: string | null }
  /** Absent: the vendor does not have it, whatever the plan. */
  | { kind: 'set_forbidden'; words: string | null; isAbsent?: boolean }
  | RouteForbidden
  /** Not stated: the wait is our own guess. */
  | { kind: 'told_to_wait'; waitMs: number; isStated: boolean }
  | { kind: 'failed'; why: CallFailure; connectionFault?: ConnectionFault | null }

/** The plan does not include a route that does not stand for its set. */
export type RouteForbidden = {
  kind: 'route_forbidden'
  route: string
  words: string | null
  isAbsent?: boolean
  /** If nothing of the set was ever answered, the plan does not include the set. */
  mayBeOfSet: boolean
}

export type RecordedCall = {
  callId: number
  outcome: Outcome
  /** Null where no head of an answer came. */
  facts: RateFacts | null
  nowMs: number
  /** Our own calls of the day; null unless the vendor requested a wait. */
  usedToday: number | null
}

/** A wait that is longer than any minute's is the day's. */
export function waitKind(waitMs: number): 'rate_limited' | 'daily_limit_reached' {
  return waitMs > DAILY_FROM_MS ? 'daily_limit_reached' : 'rate_limited'
}

/** The state after a call. */
export function recordOutcome(before: BudgetState, recorded: RecordedCall): BudgetState {
  const call = { ...recorded, outcome: ofSetIfFirst(before, recorded.outcome) }
  const { callId, outcome, facts, nowMs } = call
  const dayWaitMs =
    outcome.kind === 'told_to_wait' && waitKind(outcome.waitMs) === 'daily_limit_reached'
      ? outcome.waitMs
      : null
  const why = failureOf(before, outcome)
  const state: BudgetState = {
    ...before,
    lastFailure: why && { atMs: nowMs, why },
    ...(facts && recordLimits(before, facts, { ...call, dayWaitMs })),
    probe: before.probe?.callId === callId ? null : before.probe,
  }
  if (outcome.kind === 'failed') {
    return recordFailure({ ...state, connectionFault: outcome.connectionFault ?? null }, nowMs)
  }

  const isOther = isOtherPlan(before, state, call)
  const answered: BudgetState = {
    ...state,
    answeredAtMs: nowMs,
    failures: 0,
    breaker: null,
    connectionFault: null,
    own: facts ? joinOwnService(before.own, facts.own) : before.own,
    forbiddenRoutes: isOther ? {} : state.forbiddenRoutes,
    plan: before.plan + (isOther ? 1 : 0),
  }
  switch (outcome.kind) {
    case 'answered':
      return {
        ...answered,
        isPermitted: true,
        unstatedWaits: 0,
        // The answer is of another route: the list is as absent as before.
        forbidden: before.forbidden?.absent && before.forbidden.untilMs > nowMs ? before.forbidden : null,
        isDemo: facts?.isDemo ?? false,
        trialExpiresAt: facts?.trialExpiresAt ?? null,
      }
    case 'set_forbidden':
      return {
        ...answered,
        // Other routes of a set without a list may have answered.
        isPermitted:
          outcome.isAbsent === true && before.forbidden?.absent !== undefined && before.isPermitted,
        forbidden: toForbidden(outcome, before.forbidden, nowMs),
      }
    case 'route_forbidden': {
      const forbidden = toForbidden(outcome, before.forbiddenRoutes[outcome.route], nowMs)
      return {
        ...answered,
        forbiddenRoutes: { ...answered.forbiddenRoutes, [outcome.route]: forbidden },
      }
    }
    case 'told_to_wait': {
      const { waitMs, isStated } = outcome
      const unstatedWaits = isStated ? 0 : state.unstatedWaits + 1
      const guessMs = Math.min(waitMs * 2 ** (unstatedWaits - 1), UNSTATED_WAIT_MAX_MS)
      const untilMs = nowMs + (isStated ? waitMs : guessMs)
      // An answer to an earlier call must not shorten the wait that a later one requested.
      if (answered.block && answered.block.untilMs >= untilMs) return answered
      return { ...answered, unstatedWaits, block: { untilMs, kind: waitKind(waitMs) } }
    }
    default:
      return answered
  }
}

function toForbidden(
  { words, isAbsent = false }: { words: string | null; isAbsent?: boolean },
  before: Forbidden | null | undefined,
  nowMs: number,
): Forbidden {
  // A route that is still absent soon after its wait gets the full wait, because it is not worth many calls.
  const lastMs = isAbsent && before?.absent && nowMs >= before.untilMs ? before.absent.forMs : 0
  const forMs = Math.max(FORBIDDEN_FOR_MS, Math.min(2 * lastMs, ABSENT_FOR_MAX_MS))
  return { untilMs: nowMs + forMs, words, ...(isAbsent && { absent: { forMs } }) }
}

/** Null for what brought data, and for a refusal of one request or route where others are answered. */
function failureOf({ isPermitted }: BudgetState, outcome: Outcome): CallFailure | null {
  switch (outcome.kind) {
    case 'failed':
      return outcome.why
    case 'key_refused':
    case 'told_to_wait':
      return outcome.kind
    case 'set_forbidden':
      return outcome.isAbsent ? 'absent' : 'forbidden'
    case 'refused':
    case 'route_forbidden':
      return isPermitted ? null : 'refused'
    default:
      return null
  }
}

/** A route that is refused before anything of its set was answered speaks for the set. */
function ofSetIfFirst({ isPermitted }: BudgetState, outcome: Outcome): Outcome {
  const isOfSet = outcome.kind === 'route_forbidden' && outcome.mayBeOfSet && !isPermitted
  return isOfSet ? { kind: 'set_forbidden', words: outcome.words } : outcome
}

/** Plans differ in the minute's limit, in whether they include the set, and in whether they are a trial. */
function isOtherPlan(before: BudgetState, after: BudgetState, { outcome, facts }: RecordedCall): boolean {
  const limit = before.minute?.limit ?? null
  if (limit !== null && after.minute?.limit != null && after.minute.limit !== limit) return true
  if (outcome.kind === 'set_forbidden') return before.isPermitted
  if (outcome.kind !== 'answered') return false
  const wasTrial = before.trialExpiresAt !== null
  const isTrial = (facts?.trialExpiresAt ?? null) !== null
  const wasForbidden = before.forbidden !== null && before.forbidden.absent === undefined
  return wasForbidden || (before.isPermitted && wasTrial !== isTrial)
}

/** The circuit breaker: opens after some failures in a row, for longer each time that one more call fails. */
function recordFailure(state: BudgetState, nowMs: number): BudgetState {
  const failures = state.failures + 1
  const isOpen = state.breaker !== null && state.breaker.untilMs > nowMs
  if (failures < FAILURES_MAX || isOpen) return { ...state, failures }
  const forMs = state.breaker ? Math.min(state.breaker.forMs * 2, BREAK_FOR_MAX_MS) : BREAK_FOR_MS
  return { ...state, failures, breaker: { untilMs: nowMs + forMs, forMs } }
}

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
function recordLimits(before: Periods, facts: RateFacts, call: AnsweredCall): Periods {
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
