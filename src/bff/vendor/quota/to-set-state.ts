import type { CallBudget, SetState } from '#contract/bff/source.ts'
import type { BudgetState } from './budget-state.ts'
import { callsLeft, type Usage } from './window-usage.ts'

/** What a page shows of a budget. Without a count of our own calls, how many are left is not told. */
export function toSetState(state: BudgetState, usage: Usage | null, nowMs: number): SetState {
  const { forbidden, block, isPermitted } = state
  const isForbidden = forbidden !== null && forbidden.untilMs > nowMs
  return {
    status: isForbidden ? 'forbidden' : isPermitted ? 'permitted' : 'unknown',
    reason: isForbidden ? forbidden.words : null,
    budgets: { minute: toBudget('minute', state, usage, nowMs), day: toBudget('day', state, usage, nowMs) },
    blockedUntil: block && block.untilMs > nowMs ? toIso(block.untilMs) : null,
  }
}

function toBudget(
  name: 'minute' | 'day',
  { [name]: window }: BudgetState,
  usage: Usage | null,
  nowMs: number,
): CallBudget | null {
  if (!window) return null
  const left = usage ? callsLeft(window, usage[name], nowMs) : null
  return {
    limit: window.limit,
    remaining: left === null || left === Number.POSITIVE_INFINITY ? null : left,
    resetsAt: window.resetsAtMs > nowMs ? toIso(window.resetsAtMs) : null,
  }
}

function toIso(epochMs: number): string {
  return new Date(epochMs).toISOString()
}
