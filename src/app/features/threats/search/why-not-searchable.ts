import { clockTime, millisecondsOf } from '#app/format/time.ts'
import type { CallBudget, Source } from '#contract/bff/source.ts'

type Now = { now: number; timeZone: string }

/** Why no full text can be searched at the vendor now, for a person; null where nothing is known to stand in the way. */
export function whyNotSearchable({ key, sets: { earlier } }: Source, { now, timeZone }: Now): string | null {
  const { status, budgets, blockedUntil, failure } = earlier
  if (status === 'withoutList') return 'This vendor’s earlier API has no list of threats to search.'
  if (status === 'absent') return 'This vendor has no earlier API, which alone can search full texts.'
  if (status === 'forbidden')
    return 'Your plan does not include the earlier API, which alone can search full texts.'
  if (key === 'missing') return 'No API key is set. Ask an admin to set one.'
  if (key === 'invalid' || failure?.why === 'key_refused')
    return 'The vendor refuses the API key. Ask an admin to replace it.'
  if (millisecondsOf(blockedUntil) > now)
    return `The vendor takes no calls until ${clockTime(blockedUntil, timeZone)}.`
  const isUsedUp = (budget: CallBudget | null) =>
    budget?.remaining != null && budget.remaining <= 0 && !(millisecondsOf(budget.resetsAt) <= now)
  for (const [budget, span] of [
    [budgets.day, 'today'],
    [budgets.minute, 'this minute'],
  ] as const) {
    if (!isUsedUp(budget)) continue
    const until = budget?.resetsAt ? ` until ${clockTime(budget.resetsAt, timeZone)}` : ''
    return `No calls are left ${span}${until}.`
  }
  return null
}
