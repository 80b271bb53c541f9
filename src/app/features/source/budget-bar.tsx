import type { CallBudget } from '#contract/bff/source.ts'
import { budgetLevel } from './budget.ts'

const FILLS = { plenty: 'bg-accent', low: 'bg-medium', none: 'bg-critical' } as const

/** The share of a budget that is left. Decoration: its numbers stand beside it. */
export function BudgetBar({ budget, className }: { budget: CallBudget; className: string }) {
  const { remaining, limit } = budget
  const share = remaining !== null && limit ? Math.min(1, Math.max(0, remaining / limit)) : 0
  return (
    <span
      aria-hidden="true"
      className={`block h-1.5 overflow-hidden rounded-full bg-pressed forced-color-adjust-none ${className}`}
    >
      <span
        className={`block h-full rounded-full ${FILLS[budgetLevel(budget)]}`}
        style={{ width: `${share * 100}%` }}
      />
    </span>
  )
}
