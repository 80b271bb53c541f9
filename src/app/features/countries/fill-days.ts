import type { CountryStatistics } from '#contract/bff/country.ts'
import { DAY_MS } from '#contract/duration.ts'

type FilledDay = { date: string; count: number | null }

/** The most days that one row of bars shows. A wrong date years away must not add thousands. */
const DAYS_MAX_COUNT = 400

/** A day that was not reported is a gap, and never zero. Expects the oldest first; of very long times the newest part. */
export function fillDays(trend: CountryStatistics['trend']): FilledDay[] {
  const counts = new Map(trend.map(({ date, count }) => [date, count]))
  const [first, last] = [trend.at(0), trend.at(-1)].map((day) => Date.parse(day?.date ?? ''))
  if (first === undefined || last === undefined || Number.isNaN(first)) return []
  const from = Math.max(first, last - (DAYS_MAX_COUNT - 1) * DAY_MS)
  return Array.from({ length: (last - from) / DAY_MS + 1 }, (_, at) => {
    const date = new Date(from + at * DAY_MS).toISOString().slice(0, 10)
    return { date, count: counts.get(date) ?? null }
  })
}
