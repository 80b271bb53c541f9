import { feedBounds } from '#bff/threats/feed-bounds.ts'
import type { Timed } from '#bff/threats/list-threats.ts'
import type { Clock } from '#bff/upstream/clock.ts'
import { scopeOf } from '#bff/window/threat-scope.ts'
import type { Window } from '#bff/window/window.ts'
import type { Freshness } from '#contract/bff/freshness.ts'
import {
  TREND_DAYS,
  TREND_SERIES_MAX_COUNT,
  type Trend,
  type TrendAnswer,
  type TrendQuery,
} from '#contract/bff/trend.ts'
import type { Database } from '#database/database.ts'
import { parseQuestion } from '#matcher/question.ts'
import { coverageOf, lastDays } from './trend-days.ts'
import { countDays, countDaysByValue } from './trend-queries.ts'

export type ReadTrend = (query: TrendQuery) => Promise<Timed<TrendAnswer>>

type ReadTrendDependencies = { database: Database; window: Pick<Window, 'held'>; clock: Clock }

/** Counts threats day by day from the window, at no call. */
export function createReadTrend({ database, window, clock }: ReadTrendDependencies): ReadTrend {
  return async (query) => {
    const bounds = feedBounds(query)
    const nowMs = clock.nowMs()
    const days = lastDays(2 * TREND_DAYS, query.timeZone, nowMs)
    const held = await window.held()
    const span = held && { from: Date.parse(held.from), to: Math.min(nowMs, Date.parse(held.to)) }
    const coverages = days.map((day) => coverageOf(day, span))

    const starts = [...days.map(({ start }) => start), days.at(-1)?.end ?? nowMs]
    const scope = scopeOf(query, bounds, parseQuestion(query.q ?? ''))
    const [counts, valueCounts] = held
      ? await Promise.all([
          countDays(database, scope, starts),
          query.by ? countDaysByValue(database, scope, { starts, by: query.by }) : [],
        ])
      : [[], []]

    const byDay = new Map(counts.map(({ day, count }) => [day, count]))
    const countAt = (day: number, found: ReadonlyMap<number, number>) =>
      coverages[day] === 'unknown' ? null : (found.get(day) ?? 0)
    const told = days.map(({ date, start, end }, at) => ({
      date,
      from: new Date(start).toISOString(),
      to: new Date(end).toISOString(),
      coverage: coverages[at] ?? 'unknown',
      count: countAt(at, byDay),
    }))
    const byValue = Map.groupBy(valueCounts, ({ value }) => value)
    const series = [...byValue].map(([value, found]) => {
      const own = new Map(found.map(({ day, count }) => [day, count]))
      return { value, counts: days.map((_, at) => countAt(at, own)).slice(TREND_DAYS) }
    })
    const previous = told.slice(0, TREND_DAYS)
    const current = told.slice(TREND_DAYS)
    const trend: Trend = {
      days: current,
      previous,
      series: series
        .map((one) => ({ one, sum: sum(one.counts) }))
        .filter((one) => one.sum > 0)
        .sort((a, b) => b.sum - a.sum || (a.one.value < b.one.value ? -1 : 1))
        .slice(0, TREND_SERIES_MAX_COUNT)
        .map(({ one }) => one),
      total: sum(current.map(({ count }) => count)),
      previousTotal: previous.every(({ coverage }) => coverage === 'whole')
        ? sum(previous.map(({ count }) => count))
        : null,
    }
    return {
      answer: { trend, freshness: held?.freshness ?? emptyFreshness(nowMs) },
      freshForMs: held?.freshForMs ?? 0,
    }
  }
}

function sum(counts: readonly (number | null)[]): number {
  return counts.reduce<number>((total, count) => total + (count ?? 0), 0)
}

function emptyFreshness(nowMs: number): Freshness {
  return {
    fetchedAt: new Date(nowMs).toISOString(),
    isStale: true,
    staleReason: 'Nothing has been read from the source yet.',
    covers: { from: null, to: null },
  }
}
