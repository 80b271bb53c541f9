import type { CallBudget, SetState } from '#contract/bff/source.ts'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'

const FILL_PAUSE_MS = 100
const BRISK_MS = 15_000
const SLOW_MS = 60_000
const SLOWEST_MS = HOUR_MS
/** Of what is left of a day, what the sync may spend; the rest is for people. */
const SHARE = 0.4
/** A day of brisk reading takes fewer calls than this. */
const LARGE_DAY = 20_000
const LARGE_MINUTE = 60
const BACK_OFF_FIRST_MS = 2_000
const BACK_OFF_MAX_MS = 300_000
const DOUBLINGS_MAX = 12

/** How long to wait between two looks for new records, so that the budget lasts until it is renewed. */
export function paceOf({ minute, day }: SetState['budgets'], nowMs: number): number {
  const byMinute = minute?.limit != null && minute.limit < LARGE_MINUTE ? SLOW_MS : BRISK_MS
  return Math.min(SLOWEST_MS, Math.max(byMinute, day ? paceOfDay(day, nowMs) : BRISK_MS))
}

function paceOfDay({ limit, remaining, resetsAt }: CallBudget, nowMs: number): number {
  if (remaining === null || (limit !== null && limit >= LARGE_DAY)) return BRISK_MS
  const untilReset = resetsAt === null ? DAY_MS : Math.max(0, Date.parse(resetsAt) - nowMs)
  return untilReset / Math.max(1, remaining * SHARE)
}

/** How long to wait between two calls of a crawl through many pages. */
export function fillPauseOf({ minute }: SetState['budgets']): number {
  const isSmall = minute?.limit != null && minute.limit < LARGE_MINUTE
  return isSmall ? (2 * 60_000) / Math.max(1, minute.limit ?? 1) : FILL_PAUSE_MS
}

/** How long to wait after so many failures: in the end five minutes, or the time between two looks where that is longer. */
export function backOffOf(failures: number, paceMs: number): number {
  const growing = BACK_OFF_FIRST_MS * 2 ** Math.min(failures - 1, DOUBLINGS_MAX)
  return Math.min(growing, Math.max(BACK_OFF_MAX_MS, paceMs))
}
