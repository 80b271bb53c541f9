import type { RateFacts } from '#bff/upstream/client/rate-facts.ts'
import type { BudgetState, PeriodUsage, ReportedLimit, Usage } from '#bff/upstream/quota/budget-state.ts'
import { NO_USAGE, UNKNOWN_BUDGET } from '#bff/upstream/quota/budget-state.ts'
import { type Outcome, type RecordedCall, recordOutcome } from '#bff/upstream/quota/record-outcome.ts'

export const NOON_MS = Date.parse('2026-03-10T12:00:00Z')
export const MIDNIGHT_MS = Date.parse('2026-03-11T00:00:00Z')

/** A budget whose last answer came at noon. */
export function knownBudget(changes: Partial<BudgetState> = {}): BudgetState {
  return { ...UNKNOWN_BUDGET, answeredAtMs: NOON_MS, isPermitted: true, ...changes }
}

/** A limit period as an answer of noon reported it. */
export function periodOf(changes: Partial<ReportedLimit> = {}): ReportedLimit {
  return {
    limit: 10,
    remaining: 10,
    resetsAtMs: NOON_MS + 60_000,
    reportedBy: 1,
    reportedAtMs: NOON_MS,
    guessedUntilMs: null,
    ...changes,
  }
}

/** Our own calls, none but those that are told. */
export function usageOf({ minute, day }: Partial<Record<keyof Usage, Partial<PeriodUsage>>> = {}): Usage {
  return { minute: { ...NO_USAGE.minute, ...minute }, day: { ...NO_USAGE.day, ...day } }
}

const NO_FACTS: RateFacts = {
  limit: null,
  remaining: null,
  resetWaitMs: null,
  trialExpiresAt: null,
  isDemo: false,
  own: null,
}
/** The state after call 2, at noon. */
export function record(
  before: BudgetState,
  outcome: Outcome,
  facts: Partial<RateFacts> | null = {},
  settled: Partial<RecordedCall> = {},
): BudgetState {
  return recordOutcome(before, {
    callId: 2,
    outcome,
    facts: facts && { ...NO_FACTS, ...facts },
    nowMs: NOON_MS,
    usedToday: 0,
    ...settled,
  })
}
