import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import type { DayCounts } from '#bff/store/index/count-days.ts'
import { authorOf, freshForMsOf } from '#bff/store/read-search.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import {
  type CountedPeriod,
  countedPeriod,
  countPeriod,
  countsOf,
  knownCount,
  toTrendDay,
} from '#bff/time/counted-period.ts'
import type { PieceCounts } from '#bff/time/piece-counts.ts'
import { dayBounds } from '#bff/time/time-range.ts'
import { TREND_SERIES_MAX_COUNT, type Trend, type TrendAnswer } from '#contract/bff/trend.ts'
import { trendQuerySchema } from '#contract/bff/trend-query.ts'

/** Threats by the intervals of a period, counted in the store. */
export function trendRoutes({ store, clock }: { store: ThreatStore; clock: Clock }): BffRoute[] {
  return [
    defineRoute('GET /bff/trends', {
      access: 'viewer',
      query: trendQuerySchema,
      cache: 'answer',
      async answer({ query, session }) {
        const nowMs = clock.nowMs()
        const stored = await store.storedRange()
        const period = countedPeriod(query.period, { timeZone: query.timeZone, nowMs, stored })
        const counted = await store.countDays({ ...query, author: authorOf(session) }, dayBounds(query), {
          starts: period.edges,
          by: query.by,
          seriesFrom: period.firstPiece,
          seriesEnd: period.endPiece,
          seriesMaxCount: TREND_SERIES_MAX_COUNT,
        })
        const json: TrendAnswer = {
          trend: toTrend(period, counted),
          freshness: stored?.freshness ?? (await store.freshness()),
        }
        return { json, freshForMs: freshForMsOf(counted.scope, stored?.freshForMs ?? 0) }
      },
    }),
  ]
}

function toTrend(counted: CountedPeriod, { series, ...all }: DayCounts): Trend {
  const toDays = (intervals: CountedPeriod['days']) => {
    const claims = countsOf(counted, intervals, { counts: all.counts })
    const cases = all.repeats && countsOf(counted, intervals, all)
    return intervals.map((interval, at) => toTrendDay(interval, { count: claims[at], cases: cases?.[at] }))
  }
  const days = toDays(counted.days)
  const known = (pieces: PieceCounts) => {
    const own = countsOf(counted, counted.days, pieces)
    return counted.days.map(({ coverage }, at) => knownCount(coverage, own[at]))
  }
  const { count, cases, compared } = countPeriod(counted, all)
  return {
    period: counted.period,
    days,
    previous: toDays(counted.previous),
    series: series.map(({ value, ...pieces }) => ({
      value,
      counts: known({ counts: pieces.counts }),
      ...(pieces.repeats && { caseCounts: known(pieces) }),
    })),
    total: count ?? 0,
    ...(cases !== undefined && { cases: cases ?? 0 }),
    compared,
  }
}
