import { type Day, lastDays } from '#bff/trends/trend-days.ts'
import { TREND_DAYS } from '#contract/bff/trend.ts'
import type { Span } from './scan-rows.ts'

/** The days in which matches are counted, of the reader's zone and oldest first, and the time that they are together. */
export function lastMonth(timeZone: string, nowMs: number): { days: Day[]; span: Span } {
  const days = lastDays(TREND_DAYS, timeZone, nowMs)
  return { days, span: { start: days.at(0)?.start ?? nowMs, end: days.at(-1)?.end ?? nowMs } }
}
