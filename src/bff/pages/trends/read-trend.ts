import type { ThreatStore } from '#bff/store/threat-store.ts'
import { unreadFreshness } from '#bff/store/window-freshness.ts'
import type { Clock } from '#bff/time/clock.ts'
import { dayBounds } from '#bff/time/time-range.ts'
import { countPeriod, countsOfDays, lastMonth, type Month, toTrendDay } from '#bff/time/trend-days.ts'
import type { Timed } from '#bff/vendor/cache/cached-answer.ts'
import {
  TREND_DAYS,
  TREND_SERIES_MAX_COUNT,
  type Trend,
  type TrendAnswer,
  type TrendQuery,
} from '#contract/bff/trend.ts'

export type ReadTrend = (query: TrendQuery) => Promise<Timed<TrendAnswer>>

export type ReadTrendDependencies = { store: Pick<ThreatStore, 'storedRange' | 'countDays'>; clock: Clock }

type Counts = { counts: readonly number[]; series: readonly { value: string; counts: readonly number[] }[] }

const NOTHING: Counts = { counts: [], series: [] }

/** Counts threats day by day from the window, free. */
export function createReadTrend({ store, clock }: ReadTrendDependencies): ReadTrend {
  return async (query) => {
    const bounds = dayBounds(query)
    const nowMs = clock.nowMs()
    const stored = await store.storedRange()
    const month = lastMonth(query.timeZone, nowMs, stored)
    const counted = await store.countDays(query, bounds, {
      starts: month.edges,
      by: query.by,
      seriesFrom: month.firstPiece,
      seriesMaxCount: TREND_SERIES_MAX_COUNT,
    })
    return {
      answer: {
        trend: toTrend(month, counted ?? NOTHING),
        freshness: stored?.freshness ?? unreadFreshness(nowMs),
      },
      // The team may do something at any moment.
      freshForMs: query.triage ? 0 : (stored?.freshForMs ?? 0),
    }
  }
}

function toTrend(month: Month, { counts, series }: Counts): Trend {
  const perDay = countsOfDays(month, counts)
  const all = month.all.map((day, at) => toTrendDay(day, perDay[at]))
  const days = all.slice(TREND_DAYS)
  const { count, compared } = countPeriod(month, counts)
  return {
    days,
    previous: all.slice(0, TREND_DAYS),
    series: series.map(({ value, counts }) => {
      const own = countsOfDays(month, counts).slice(TREND_DAYS)
      return { value, counts: days.map(({ count }, at) => (count === null ? null : (own[at] ?? 0))) }
    }),
    total: count ?? 0,
    compared,
  }
}
