import type { Overview } from '#contract/bff/overview.ts'

/** Whether nothing recent is stored yet, whatever period is chosen. */
export function isUnread({ day, week, period }: Overview): boolean {
  return [day, week, period].every(({ count }) => count === null)
}
