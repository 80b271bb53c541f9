import type { ChartDay } from './chart-days.ts'

/** A day for tests; one without a count is not known. */
export function aDay(date: string, count: number | null, coverage?: ChartDay['coverage']): ChartDay {
  const next = new Date(Date.parse(date) + 86_400_000).toISOString()
  return {
    date,
    from: `${date}T00:00:00.000Z`,
    to: next,
    coverage: coverage ?? (count === null ? 'unknown' : 'whole'),
    count,
  }
}

/** Days in a row, the first of them the 1st of November. */
export function someDays(...days: (number | null | [number, 'partial'])[]): ChartDay[] {
  return days.map((day, at) => {
    const date = `2026-11-0${at + 1}`
    return Array.isArray(day) ? aDay(date, ...day) : aDay(date, day)
  })
}
