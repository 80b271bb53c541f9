import type { Overview } from '#contract/bff/overview.ts'

/** Returns true if no recent threat is stored yet, whatever the period. */
export function isUnread({ day, week, period }: Overview): boolean {
  return [day, week, period].every(({ count }) => count === null)
}
