import type { SetState, Source } from '#contract/bff/source.ts'

export type Budget = NonNullable<SetState['budget']>

const LOW_SHARE = 0.2

/** Of the route sets that told what is left, the one with the least; null when none did. */
export function scarcestBudget({ sets }: Source): Budget | null {
  const told = [sets.v1, sets.earlier].flatMap(({ status, budget }) =>
    status !== 'forbidden' && budget && budget.remaining !== null ? [budget] : [],
  )
  return told.toSorted((a, b) => (a.remaining ?? 0) - (b.remaining ?? 0)).at(0) ?? null
}

export function budgetLevel({ remaining, limit }: Budget): 'plenty' | 'low' | 'none' {
  if (!remaining || remaining <= 0) return 'none'
  return limit && remaining / limit < LOW_SHARE ? 'low' : 'plenty'
}
