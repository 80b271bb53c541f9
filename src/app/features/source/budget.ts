import { countOf } from '#app/format/count.ts'
import { clockTime, millisecondsOf } from '#app/format/time.ts'
import type { CallBudget, SetState, Source } from '#contract/bff/source.ts'

type Now = { now: number; timeZone: string }

const LOW_SHARE = 0.2

/** Returns true if threats may be listed: the plan may include the set, and the vendor may have its list. */
export function isUsable({ status }: SetState): boolean {
  return status !== 'forbidden' && status !== 'absent' && status !== 'withoutList'
}

/** Returns the calls left in each limit period of the route set with the fewest; null if none was reported. */
export function leastBudgets({ sets }: Source, now: number): SetState['budgets'] {
  const usable = [sets.v1, sets.earlier].filter(isUsable)
  const least = (period: 'minute' | 'day') =>
    usable
      .flatMap(({ budgets }) => budgetAt(budgets[period], now) ?? [])
      .filter(({ remaining }) => remaining !== null)
      .toSorted((a, b) => (a.remaining ?? 0) - (b.remaining ?? 0))
      .at(0) ?? null
  return { minute: least('minute'), day: least('day') }
}

/** Returns true if calls are scarce. Our own service can permit more than a team uses. */
export function hasScarceCalls(source: Source, now: number): boolean {
  const { minute, day } = leastBudgets(source, now)
  const isPlenty = day === null && (minute === null || budgetLevel(minute) === 'plenty')
  return !source.isOwnService || source.trialExpiresAt !== null || !isPlenty
}

/** A limit period that has begun anew since it was reported is whole again. */
export function budgetAt(budget: CallBudget | null, now: number): CallBudget | null {
  if (!budget || !(millisecondsOf(budget.resetsAt) <= now)) return budget
  return { limit: budget.limit, remaining: budget.limit, resetsAt: null }
}

export function budgetLevel({ remaining, limit }: CallBudget): 'plenty' | 'low' | 'none' {
  if (!remaining || remaining <= 0) return 'none'
  return limit && remaining / limit < LOW_SHARE ? 'low' : 'plenty'
}

/** Cost of a press, shown only while few calls are left: `uses 1–2 of 7 calls left today`. */
export function describeCost(
  calls: string,
  source: Source | undefined,
  { now, timeZone }: Now,
): string | null {
  if (!source) return null
  const { minute, day } = leastBudgets(source, now)
  for (const [budget, span] of [
    [day, 'today'],
    [minute, 'this minute'],
  ] as const) {
    if (!budget || budgetLevel(budget) === 'plenty') continue
    if (budget.remaining) return `uses ${calls} of ${countOf(budget.remaining, 'call')} left ${span}`
    const until = budget.resetsAt ? ` until ${clockTime(budget.resetsAt, timeZone)}` : ''
    return `no calls left ${span}${until}`
  }
  return null
}
