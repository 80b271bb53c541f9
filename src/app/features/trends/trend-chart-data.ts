import { countryName } from '#app/format/country-name.ts'
import {
  type ChartDay,
  type ChartSeries,
  type DayChartData,
  SERIES_COLORS,
} from '#app/ui/chart/chart-days.ts'
import { previousTitle } from '#contract/bff/period.ts'
import type { Trend, TrendDay } from '#contract/bff/trend.ts'
import type { TrendGroup } from '#contract/bff/trend-query.ts'
import { KNOWN_CATEGORIES } from '#contract/category.ts'
import { SEVERITIES } from '#contract/severity.ts'

const SEVERITY_COLORS = {
  critical: 'var(--color-critical)',
  high: 'var(--color-high)',
  medium: 'var(--color-medium)',
  low: 'var(--color-low)',
} as const

const VALUES_OF: Readonly<Record<TrendGroup, string>> = {
  category: 'categories',
  severity: 'severities',
  country: 'countries',
  actor: 'actors',
  industry: 'industries',
}

/** Returns the chart data of a trend. A value has the same colour on every page while colours last. */
export function trendChartData(
  { period, days, previous, series, cases }: Trend,
  by?: TrendGroup,
): DayChartData {
  const fixed = series.map(({ value }) => fixedColor(value, by))
  const free = SERIES_COLORS.filter((color) => !fixed.includes(color))
  const drawn = series.map(({ value, counts, caseCounts }, at) => ({
    name: nameOf(value, by),
    value,
    color: fixed[at] ?? free.shift() ?? '',
    counts: caseCounts ?? counts,
  }))
  const stacked = sumOf(drawn.flatMap((one) => one.counts))
  const drawnDays = days.map(toChartDay)
  // A case counts in each of its values: a line of whole cases beside such bars would compare what cannot be compared.
  const isOverlapping = stacked > sumOf(drawnDays.map(({ count }) => count))
  const rows = cases === undefined ? 'claims' : 'cases'
  return {
    unit: period.unit,
    rows,
    days: drawnDays,
    previous: isOverlapping ? [] : previous.map(toChartDay),
    previousName: previousTitle(period.name),
    series: by === 'severity' ? drawn.toSorted(bySeverity) : drawn,
    overlap:
      isOverlapping && by
        ? `A ${rows === 'cases' ? 'case' : 'claim'} counts in each of its ${VALUES_OF[by]}.`
        : undefined,
  }
}

function sumOf(counts: readonly (number | null)[]): number {
  return counts.reduce((sum: number, count) => sum + (count ?? 0), 0)
}

function toChartDay({ count, cases, ...day }: TrendDay): ChartDay {
  return cases === undefined ? { ...day, count } : { ...day, count: cases, claims: count }
}

function severityOf(value: string) {
  return SEVERITIES.find((known) => known === value.trim().toLowerCase())
}

function fixedColor(value: string, by?: TrendGroup): string | null {
  const severity = severityOf(value)
  if (by === 'severity' && severity) return SEVERITY_COLORS[severity]
  const name = value.trim().toLowerCase()
  const place = KNOWN_CATEGORIES.findIndex((known) => known.toLowerCase() === name)
  return by === 'category' ? (SERIES_COLORS[place] ?? null) : null
}

function nameOf(value: string, by?: TrendGroup): string {
  if (by === 'country') return countryName(value)
  return by === 'severity' ? `${value.charAt(0).toUpperCase()}${value.slice(1)}` : value
}

/** The worst at the foot, where bars are easiest to compare. */
function bySeverity(a: ChartSeries, b: ChartSeries): number {
  const rank = ({ name }: ChartSeries) => {
    const severity = severityOf(name)
    return severity ? SEVERITIES.indexOf(severity) : SEVERITIES.length
  }
  return rank(a) - rank(b)
}
