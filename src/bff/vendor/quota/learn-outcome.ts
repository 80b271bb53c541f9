import type { BudgetState } from './budget-state.ts'
import { learnRates } from './learn-rates.ts'
import { type Outcome, type SettledCall, waitKind } from './settled-call.ts'

const FORBIDDEN_FOR_MS = 15 * 60_000
const UNSTATED_WAIT_MAX_MS = 15 * 60_000
const FAILURES_MAX = 5
const BREAK_FOR_MS = 30_000
const BREAK_FOR_MAX_MS = 5 * 60_000

/** What is known after a call. */
export function learnOutcome(before: BudgetState, settled: SettledCall): BudgetState {
  const call = { ...settled, outcome: readOutcome(before, settled.outcome) }
  const { callId, outcome, facts, nowMs } = call
  const state: BudgetState = {
    ...before,
    ...(facts && learnRates(before, facts, call)),
    probe: before.probe?.callId === callId ? null : before.probe,
  }
  if (outcome.kind === 'failed') return learnFailure(state, nowMs)

  const isOther = isOtherPlan(before, state, call)
  const answered: BudgetState = {
    ...state,
    answeredAtMs: nowMs,
    failures: 0,
    breaker: null,
    isOwnService: facts?.isOwnService ?? before.isOwnService,
    forbiddenRoutes: isOther ? {} : state.forbiddenRoutes,
    plan: before.plan + (isOther ? 1 : 0),
  }
  switch (outcome.kind) {
    case 'answered':
      return {
        ...answered,
        isPermitted: true,
        unstatedWaits: 0,
        forbidden: null,
        isDemo: facts?.isDemo ?? false,
        trialExpiresAt: facts?.trialExpiresAt ?? null,
      }
    case 'set_forbidden':
      return {
        ...answered,
        isPermitted: false,
        forbidden: { untilMs: nowMs + FORBIDDEN_FOR_MS, words: outcome.words },
      }
    case 'route_forbidden': {
      const forbidden = { untilMs: nowMs + FORBIDDEN_FOR_MS, words: outcome.words }
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
      // An answer that was under way must not shorten what a later one said.
      if (answered.block && answered.block.untilMs >= untilMs) return answered
      return { ...answered, unstatedWaits, block: { untilMs, kind: waitKind(waitMs) } }
    }
    default:
      return answered
  }
}

/** A route that is refused before anything of its set was answered tells of the set. */
function readOutcome({ isPermitted }: BudgetState, outcome: Outcome): Outcome {
  const isOfSet = outcome.kind === 'route_forbidden' && outcome.mayBeOfSet && !isPermitted
  return isOfSet ? { kind: 'set_forbidden', words: outcome.words } : outcome
}

/** What tells one plan from another: its minute's limit, whether it includes the set, whether it is a trial. */
function isOtherPlan(before: BudgetState, after: BudgetState, { outcome, facts }: SettledCall): boolean {
  const limit = before.minute?.limit ?? null
  if (limit !== null && after.minute?.limit != null && after.minute.limit !== limit) return true
  if (outcome.kind === 'set_forbidden') return before.isPermitted
  if (outcome.kind !== 'answered') return false
  const wasTrial = before.trialExpiresAt !== null
  const isTrial = (facts?.trialExpiresAt ?? null) !== null
  return before.forbidden !== null || (before.isPermitted && wasTrial !== isTrial)
}

/** After some failures in a row the source is left alone, for longer each time that one more call fails. */
function learnFailure(state: BudgetState, nowMs: number): BudgetState {
  const failures = state.failures + 1
  const isOpen = state.breaker !== null && state.breaker.untilMs > nowMs
  if (failures < FAILURES_MAX || isOpen) return { ...state, failures }
  const forMs = state.breaker ? Math.min(state.breaker.forMs * 2, BREAK_FOR_MAX_MS) : BREAK_FOR_MS
  return { ...state, failures, breaker: { untilMs: nowMs + forMs, forMs } }
}
