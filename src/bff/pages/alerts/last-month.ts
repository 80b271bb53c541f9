import type { FeedBounds } from '#bff/time/time-range.ts'
import { type Day, lastDays } from '#bff/time/trend-days.ts'
import { TREND_DAYS } from '#contract/bff/trend.ts'

/** The days in which matches are counted, of the reader's zone and oldest first, and the time that they are together. */
export function lastMonth(timeZone: string, nowMs: number): { days: Day[]; bounds: FeedBounds } {
  const days = lastDays(TREND_DAYS, timeZone, nowMs)
  return { days, bounds: { start: days.at(0)?.start ?? nowMs, end: days.at(-1)?.end ?? nowMs } }
}
