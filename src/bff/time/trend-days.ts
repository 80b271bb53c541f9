import type { TrendDay } from '#contract/bff/trend.ts'
import { dayAfter, firstDayOf, startsOfDays } from './start-of-day.ts'

/** A calendar day of a zone: from its first moment on, before that of the next, epoch milliseconds. */
export type Day = { date: string; start: number; end: number }

/** The last days of a zone, oldest first; the very last is today. */
export function lastDays(count: number, timeZone: string, nowMs: number): Day[] {
  const dates = [firstDayOf(count, timeZone, nowMs)]
  while (dates.length <= count) dates.push(dayAfter(dates.at(-1) ?? ''))
  const starts = startsOfDays(dates, timeZone)
  return dates.slice(0, count).map((date, at) => ({ date, start: starts[at] ?? 0, end: starts[at + 1] ?? 0 }))
}

/** How much of a day lies in the stored range; nothing of an unknown day does. */
export function coverageOf(
  { start, end }: Day,
  stored: { from: number; to: number } | null,
): TrendDay['coverage'] {
  if (!stored || end <= stored.from || start >= stored.to) return 'unknown'
  return start >= stored.from && end <= stored.to ? 'whole' : 'partial'
}
