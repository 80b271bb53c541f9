import type { Clock } from '#bff/time/clock.ts'
import { dayBounds } from '#bff/time/time-range.ts'
import { coverageOf, type Day, lastDays } from '#bff/time/trend-days.ts'
import type { Timed } from '#bff/vendor/cache/cached-answer.ts'
import type { StoredRange, Window } from '#bff/window/window.ts'
import type { Freshness } from '#contract/bff/freshness.ts'
import {
  TREND_DAYS,
  TREND_SERIES_MAX_COUNT,
  type Trend,
  type TrendAnswer,
  type TrendDay,
  type TrendQuery,
} from '#contract/bff/trend.ts'

export type ReadTrend = (query: TrendQuery) => Promise<Timed<TrendAnswer>>

export type ReadTrendDependencies = { window: Pick<Window, 'storedRange' | 'countDays'>; clock: Clock }

type Counts = { counts: readonly number[]; series: readonly { value: string; counts: readonly number[] }[] }

const NOTHING: Counts = { counts: [], series: [] }

/** Counts threats day by day from the window, free. */
export function createReadTrend({ window, clock }: ReadTrendDependencies): ReadTrend {
  return async (query) => {
    const bounds = dayBounds(query)
    const nowMs = clock.nowMs()
    const days = lastDays(2 * TREND_DAYS, query.timeZone, nowMs)
    const stored = await window.storedRange()
    const counted = await window.countDays(query, bounds, {
      starts: [...days.map(({ start }) => start), days.at(-1)?.end ?? nowMs],
      by: query.by,
      seriesFrom: TREND_DAYS,
      seriesMaxCount: TREND_SERIES_MAX_COUNT,
    })
    return {
      answer: {
        trend: toTrend(days, stored, counted ?? NOTHING),
        freshness: stored?.freshness ?? unknownFreshness(nowMs),
      },
      // The team may do something at any moment.
      freshForMs: query.triage ? 0 : (stored?.freshForMs ?? 0),
    }
  }
}

/** What is not stored is unknown, whatever was counted there. */
function toTrend(days: readonly Day[], stored: StoredRange | null, { counts, series }: Counts): Trend {
  const span = stored && { from: Date.parse(stored.from), to: Date.parse(stored.to) }
  const trendDays = days.map((day, at): TrendDay => {
    const coverage = coverageOf(day, span)
    return {
      date: day.date,
      from: new Date(day.start).toISOString(),
      to: new Date(day.end).toISOString(),
      coverage,
      count: coverage === 'unknown' ? null : (counts[at] ?? 0),
    }
  })
  const previous = trendDays.slice(0, TREND_DAYS)
  const current = trendDays.slice(TREND_DAYS)
  return {
    days: current,
    previous,
    series: series.map(({ value, counts }) => ({
      value,
      counts: current.map(({ count }, at) => (count === null ? null : (counts[TREND_DAYS + at] ?? 0))),
    })),
    total: sum(current),
    previousTotal: previous.every(({ coverage }) => coverage === 'whole') ? sum(previous) : null,
  }
}

function sum(days: readonly TrendDay[]): number {
  return days.reduce((total, { count }) => total + (count ?? 0), 0)
}

function unknownFreshness(nowMs: number): Freshness {
  return {
    fetchedAt: new Date(nowMs).toISOString(),
    isStale: true,
    staleReason: 'Nothing has been read from the source yet.',
    covers: { from: null, to: null },
  }
}
