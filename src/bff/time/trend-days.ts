import type { TrendDay } from '#contract/bff/trend.ts'
import { dayAfter, firstDayOf, startOfDay } from './start-of-day.ts'

/** A calendar day of a zone: from its first moment on, before that of the next, epoch milliseconds. */
export type Day = { date: string; start: number; end: number }

/** The last days of a zone, oldest first; the very last is today. */
export function lastDays(count: number, timeZone: string, nowMs: number): Day[] {
  const days: Day[] = []
  let date = firstDayOf(count, timeZone, nowMs)
  let start = startOfDay(date, timeZone)
  for (let at = 0; at < count; at++) {
    const next = dayAfter(date)
    const end = startOfDay(next, timeZone)
    days.push({ date, start, end })
    date = next
    start = end
  }
  return days
}

/** How much of a day lies in the stored range; nothing of an unknown day does. */
export function coverageOf(
  { start, end }: Day,
  stored: { from: number; to: number } | null,
): TrendDay['coverage'] {
  if (!stored || end <= stored.from || start >= stored.to) return 'unknown'
  return start >= stored.from && end <= stored.to ? 'whole' : 'partial'
}
