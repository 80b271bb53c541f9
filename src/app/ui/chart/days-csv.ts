import { type Cell, toCsv } from '#app/format/csv.ts'
import { defangText } from '#contract/defang.ts'
import { type DayChartData, stackSeries } from './chart-days.ts'

const NAMES = { day: 'Day', week: 'Week from', month: 'Month from' } as const

/** The numbers of a chart of days, oldest first. An unknown count is an empty cell, not a zero. */
export function daysCsv(data: DayChartData): string {
  const { days, previous, series, unit, rows: kind } = data
  const name = NAMES[unit]
  const parts = series.length > 0 ? stackSeries(data) : []
  const head: Cell[] = [
    name,
    'Coverage',
    `All ${kind}`,
    ...parts.map(({ name }) => defangText(name)),
    ...(kind === 'cases' ? ['All claims'] : []),
    `${name} before`,
    'Coverage before',
    `All ${kind} before`,
  ]
  const rows = days.map(({ date, coverage, count, claims = null }, at): Cell[] => {
    const before = previous[at]
    const counts = parts.map((part) => part.counts[at] ?? null)
    return [
      date,
      coverage,
      count,
      ...counts,
      ...(kind === 'cases' ? [claims] : []),
      before?.date ?? null,
      before?.coverage ?? null,
      before?.count ?? null,
    ]
  })
  return toCsv([head, ...rows])
}
