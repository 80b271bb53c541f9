import { LRUCache } from 'lru-cache'
import type { StoredRange, ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import {
  type CountedPeriod,
  countedPeriod,
  countPeriod,
  countsOf,
  knownCount,
} from '#bff/time/counted-period.ts'
import { toIso } from '#bff/time/time-range.ts'
import type { Comparison } from '#contract/bff/comparison.ts'
import type { Period } from '#contract/bff/period.ts'
import type { FacetName, ThreatFilter } from '#contract/bff/threat-list.ts'
import type { TrendDay } from '#contract/bff/trend.ts'
import { type Beside, countBeside } from './count-beside.ts'
import { countConcerns } from './count-concerns.ts'
import { countTerms, type TermCounts } from './count-days.ts'
import type { IndexRows } from './index-rows.ts'
import { inSlices } from './slices.ts'
import { groupByTerm, orderedRows } from './term-rows.ts'

/** Counts one value of a name in the intervals of a period. `others` and `victims` count its records of the period. */
export type Tally = Beside & {
  value: string
  /** The sum of the known intervals; null if none is known. */
  count: number | null
  /** Compares with the same part of the period before; null unless all of both is stored. */
  compared: Comparison | null
  counts: (number | null)[]
  week: Week
  /** Bounds of what is stored of it up to today, ISO 8601 UTC; null where nothing of that has a date. */
  firstAt: string | null
  latestAt: string | null
}

/** Counts the last 7 days; null unless they are stored. `compared` is with the same part of the 7 days before. */
export type Week = { count: number; compared: Comparison | null } | null

export type Tallies = {
  /** Null while nothing is stored: then there are no tallies either. */
  stored: StoredRange | null
  period: Period
  days: Pick<TrendDay, 'date' | 'coverage'>[]
  /** The first moment of the last 7 days, epoch milliseconds. */
  weekStartsAt: number
  /**
   * Counts the records of the period in one of these industries of one of these countries, by term; null unless both are
   * named.
   */
  countConcerns(interests: Pick<ThreatFilter, 'country' | 'industry'>): ReturnType<typeof countConcerns>
  /** Counts the records without a value. */
  none: Pick<Tally, 'counts' | 'week'>
  /** Keys are the window's terms. */
  byTerm: ReadonlyMap<string, Tally>
}

export type TallyName = 'actor' | 'country'
export type ReadTallies = (name: TallyName, of: { timeZone: string; period: string }) => Promise<Tallies>

const OTHERS = {
  actor: ['category', 'country', 'industry', 'severity'],
  country: ['category', 'actor', 'industry', 'severity'],
} as const satisfies Record<TallyName, readonly FacetName[]>

/** A team counts actors and countries, each in its zones and periods. Beyond this number, each request counts anew. */
const KEPT_MAX_COUNT = 32

type Dependencies = {
  store: Pick<ThreatStore, 'storedRange' | 'indexRows'>
  clock: Clock
}

/** Counts of rows are valid until the rows change. */
type Kept = {
  /** Keys are periods: each minute that compares up to another moment counts anew. */
  byTerm: LRUCache<string, Tallies['byTerm']>
  /** Keys are the days of the period, independent of the minute. */
  beside: LRUCache<string, Promise<ReadonlyMap<string, Beside>>>
}

/** Counts all actors or countries of the window at once: searches, tabs and pages of one are looked up in the same tallies. */
export function createReadTallies({ store, clock }: Dependencies): ReadTallies {
  const keptOf = new WeakMap<IndexRows, Kept>()

  return async (name, { timeZone, period }) => {
    const [stored, rows] = await Promise.all([store.storedRange(), store.indexRows()])
    const counted = countedPeriod(period, { timeZone, nowMs: clock.nowMs(), stored })
    const kept = keptOf.get(rows) ?? createKept()
    keptOf.set(rows, kept)
    const { start, end } = counted.bounds
    const besideKey = JSON.stringify([name, start, end])
    const besides =
      kept.beside.get(besideKey) ?? inSlices(countBeside(rows, { name, others: OTHERS[name], start, end }))
    kept.beside.set(besideKey, besides)
    const beside = await besides
    const key = JSON.stringify([
      name,
      timeZone,
      period,
      counted.days,
      counted.edges,
      counted.chosen,
      counted.week,
    ])
    const byTerm = kept.byTerm.get(key) ?? toTallies()
    kept.byTerm.set(key, byTerm)

    function toTallies(): Tallies['byTerm'] {
      const found = countTerms(rows, groupByTerm(rows, orderedRows(rows), name), counted.edges)
      return new Map(
        [...found].map(([term, counts]) => [
          term,
          { ...toFigures(counts, counted), ...(beside.get(term) ?? NONE) },
        ]),
      )
    }

    return {
      stored,
      period: counted.period,
      days: counted.coverage,
      weekStartsAt: counted.week.parts.since,
      countConcerns: (interests) => countConcerns(rows, interests, { name, start, end }),
      none: figuresOf([], counted),
      byTerm,
    }
  }
}

const NONE: Beside = { others: new Map(), victims: 0 }

function createKept(): Kept {
  return { byTerm: new LRUCache({ max: KEPT_MAX_COUNT }), beside: new LRUCache({ max: KEPT_MAX_COUNT }) }
}

function toFigures(
  { value, firstAt, latestAt, counts }: TermCounts,
  counted: CountedPeriod,
): Omit<Tally, keyof Beside> {
  const { count, compared } = countPeriod(counted, counts)
  return {
    value,
    count,
    compared,
    ...figuresOf(counts, counted),
    firstAt: toIso(firstAt) ?? null,
    latestAt: toIso(latestAt) ?? null,
  }
}

function figuresOf(counts: readonly number[], counted: CountedPeriod): Tallies['none'] {
  const { count, isWhole, compared } = countPeriod(counted, counts, 'week')
  const perDay = countsOf(counted, counted.days, counts)
  return {
    counts: counted.days.map(({ coverage }, at) => knownCount(coverage, perDay[at])),
    week: count !== null && isWhole ? { count, compared } : null,
  }
}
