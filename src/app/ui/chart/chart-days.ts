import type { Rows } from '#app/format/counted-rows.ts'

/** One day, week or month: counted whole, in part, or unknown, which is never zero. */
export type ChartDay = {
  /** The first day: `2026-11-21` */
  date: string
  /** Bounds, ISO 8601 UTC; `to` is the start of the next one. */
  from: string
  to: string
  coverage: 'whole' | 'partial' | 'unknown'
  count: number | null
  /** Claims, where `count` counts cases by the day of their first claim. */
  claims?: number | null
}

/** A part of every day's count. */
export type ChartSeries = {
  /** Third-party text. */
  name: string
  /** Value in the query language; absent if no query counts the same. */
  value?: string
  /** A token, such as `var(--color-series-1)`; no two series share one. */
  color: string
  /** In the order of the days. */
  counts: readonly (number | null)[]
}

/** A time range and optionally a value: what a figure of a chart counts. `rows` is absent for cases. */
export type Counted = { from: string; to: string; value?: string; rows?: 'claims' }

export type ChartUnit = 'day' | 'week' | 'month'

/** Data of a chart of days, weeks or months. */
export type DayChartData = {
  unit: ChartUnit
  /** The unit of the counts. */
  rows: Rows
  /** Oldest first. */
  days: readonly ChartDay[]
  /** Days of the previous period in the same order, at most as many. Empty if nothing is compared. */
  previous: readonly ChartDay[]
  /** `30 days before`, `September 2026` */
  previousName: string
  /** Most frequent first; empty where the counts are not split. */
  series: readonly ChartSeries[]
  /** Why the series come to more than the whole: `A case counts in each of its categories.` Undefined if they do not. */
  overlap?: string | undefined
}

/** Title, time and source of a chart. */
export type ChartAbout = {
  /** `Threats by category` */
  title: string
  /** `by day, 24 Oct to Sun 22 Nov 2026 (UTC)` */
  time: string
  /** `Source: the vendor’s API, read 22 Nov 2026, 12:01 UTC` */
  source: string
}

// Written out: a token that no source names is left out of the style sheet.
export const SERIES_COLORS = [
  'var(--color-series-1)',
  'var(--color-series-2)',
  'var(--color-series-3)',
  'var(--color-series-4)',
  'var(--color-series-5)',
  'var(--color-series-6)',
  'var(--color-series-7)',
  'var(--color-series-8)',
] as const
export const REST_COLOR = 'var(--color-series-rest)'
export const ONLY_COLOR = 'var(--color-accent)'
export const REST_NAME = 'All others'
/** Colour of the line of the previous period. */
export const PREVIOUS_COLOR = 'var(--color-ink)'

/** The bars of each day from the foot up: the series, and what none of them counts. */
export function stackSeries({ days, series }: DayChartData): ChartSeries[] {
  if (series.length === 0) {
    return [{ name: 'All', color: ONLY_COLOR, counts: days.map((day) => day.count) }]
  }
  const rest = days.map((day, at) => {
    const counted = series.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0)
    // A record with several values counts for each: then the parts are more than the whole.
    return day.count === null ? null : Math.max(0, day.count - counted)
  })
  const hasRest = rest.some((count) => count !== null && count > 0)
  return hasRest ? [...series, { name: REST_NAME, color: REST_COLOR, counts: rest }] : [...series]
}

/** A day as it is drawn. */
export type DayRow = {
  date: string
  coverage: ChartDay['coverage']
  /** By series, from the foot up. */
  parts: (number | null)[]
  /** As high as the parts together: they can come to more than the day's count. */
  height: number
  /** Count of the day that it is compared with; null if unknown. */
  before: number | null
  isPartialBefore: boolean
}

export function plotRows({ days, previous }: DayChartData, stack: readonly ChartSeries[]): DayRow[] {
  return days.map(({ date, coverage }, at) => {
    const parts = stack.map(({ counts }) => counts[at] ?? null)
    const before = previous[at]?.count ?? null
    return {
      date,
      coverage,
      parts,
      height: parts.reduce<number>((sum, part) => sum + (part ?? 0), 0),
      before,
      isPartialBefore: before !== null && previous[at]?.coverage === 'partial',
    }
  })
}

/** A day that is stored in part and has no threat so far. */
export function isEmptySoFar(row: DayRow | undefined): boolean {
  return row?.coverage === 'partial' && row.height === 0
}

/** The first and the last day of each run of unknown days. */
export function unknownRuns(days: readonly ChartDay[]): { first: string; last: string }[] {
  const runs: { first: string; last: string }[] = []
  let isOpen = false
  for (const { date, coverage } of days) {
    const run = runs.at(-1)
    if (coverage === 'unknown' && isOpen && run) run.last = date
    else if (coverage === 'unknown') runs.push({ first: date, last: date })
    isOpen = coverage === 'unknown'
  }
  return runs
}

/** The time that the known days are of; null where none is known. */
export function knownTime(days: readonly ChartDay[]): Counted | null {
  const known = days.filter(({ coverage }) => coverage !== 'unknown')
  const [first, last] = [known.at(0), known.at(-1)]
  return first && last ? { from: first.from, to: last.to } : null
}

/** Returns true if a previous day is known. Otherwise there is no line to draw. */
export function hasPrevious(previous: readonly ChartDay[]): boolean {
  return previous.some(({ count }) => count !== null)
}
