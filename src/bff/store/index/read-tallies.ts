import { LRUCache } from 'lru-cache'
import type { StoredRange, ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import {
  type CountedPeriod,
  countedPeriod,
  countPeriod,
  countsOf,
  knownCount,
  type PeriodCount,
} from '#bff/time/counted-period.ts'
import type { PieceCounts } from '#bff/time/piece-counts.ts'
import { toIso } from '#bff/time/time-range.ts'
import type { RowKind } from '#contract/bff/arrangement.ts'
import type { Comparison } from '#contract/bff/comparison.ts'
import type { Period } from '#contract/bff/period.ts'
import type { FacetName, ThreatFilter } from '#contract/bff/threat-list.ts'
import type { CaseColumn } from './case-column.ts'
import { type Beside, countBeside, countConcerns } from './count-beside.ts'
import { countTerms, groupByTerm, orderedRows, type TermCounts } from './count-days.ts'
import type { IndexRows } from './index-rows.ts'
import { inSlices } from './slices.ts'

type IntervalCounts = {
  counts: (number | null)[]
  /** The same in cases, where these are counted. */
  caseCounts?: (number | null)[]
  week: Week
}

/** Counts one value of a name in the intervals of a period. `others` and `victims` count its records of the period. */
export type Tally = Beside &
  IntervalCounts & {
    value: string
    /** The sum of the known intervals; null if none is known. */
    count: number | null
    /** The same in cases, where these are counted. */
    cases?: number | null
    /** Compares with the same part of the period before; null unless all of both is stored. */
    compared: Comparison | null
    /** Bounds of what is stored of it up to today, ISO 8601 UTC; null where nothing of that has a date. */
    firstAt: string | null
    latestAt: string | null
  }

/** Counts the last 7 days; null unless they are stored. `compared` is with the same part of the 7 days before. */
export type Week = { count: number; cases?: number; compared: Comparison | null } | null

export type Tallies = {
  /** Null while nothing is stored: then there are no tallies either. */
  stored: StoredRange | null
  period: Period
  days: CountedPeriod['coverage']
  /** The first moment of the last 7 days, epoch milliseconds. */
  weekStartsAt: number
  /**
   * Counts the records of the period in one of these industries of one of these countries, by term; null unless both are
   * named.
   */
  countConcerns(interests: ThreatFilter): ReturnType<typeof countConcerns>
  /** Counts the records without a value. */
  none: IntervalCounts
  /** Keys are the index's terms. */
  byTerm: ReadonlyMap<string, Tally>
}

export type TallyName = 'actor' | 'country'

const OTHERS = {
  actor: ['category', 'country', 'industry', 'severity'],
  country: ['category', 'actor', 'industry', 'severity'],
} as const satisfies Record<TallyName, readonly FacetName[]>

export type TallySource = {
  store: ThreatStore
  clock: Clock
}

type TallyCache = {
  /** Keys are periods: each minute that compares up to another moment counts anew. */
  byTerm: LRUCache<string, Tallies['byTerm']>
  /** Keys are the days of the period, independent of the minute. */
  beside: LRUCache<string, Promise<ReadonlyMap<string, Beside>>>
}

/** Counts are valid until the rows change. A column of cases is another one whenever rows or cases change. */
const caches = new WeakMap<IndexRows | CaseColumn, TallyCache>()
/** A team counts actors and countries, each in its zones and periods. Beyond this number, each request counts anew. */
const CACHED_MAX_COUNT = 32

function cacheOf(counted: IndexRows | CaseColumn): TallyCache {
  const known = caches.get(counted)
  if (known) return known
  const cache: TallyCache = {
    byTerm: new LRUCache({ max: CACHED_MAX_COUNT }),
    beside: new LRUCache({ max: CACHED_MAX_COUNT }),
  }
  caches.set(counted, cache)
  return cache
}

/** Gives what was counted under a key before, or counts it. */
function recall<Counts extends object>(
  cache: LRUCache<string, Counts>,
  parts: readonly unknown[],
  count: () => Counts,
): Counts {
  const key = JSON.stringify(parts)
  const counts = cache.get(key) ?? count()
  cache.set(key, counts)
  return counts
}

/** Counts all actors or countries of the index at once: searches, tabs and pages of one are looked up in the same tallies. */
export async function readTallies(
  { store, clock }: TallySource,
  name: TallyName,
  { timeZone, period, rows: kind }: { timeZone: string; period: string; rows?: RowKind | undefined },
): Promise<Tallies> {
  const [stored, index] = await Promise.all([store.storedRange(), store.indexed()])
  const { rows } = index
  const cases = kind === 'cases' ? index.cases : null
  const counted = countedPeriod(period, { timeZone, nowMs: clock.nowMs(), stored })
  const { bounds, days, edges, chosen, week } = counted
  const { start, end } = bounds
  const cache = cacheOf(cases ?? rows)
  const beside = await recall(cache.beside, [name, start, end], () =>
    inSlices(countBeside(rows, { name, others: OTHERS[name], start, end, cases })),
  )
  const byTerm = recall(cache.byTerm, [name, timeZone, period, days, edges, chosen, week], () => {
    const found = countTerms(rows, groupByTerm(rows, orderedRows(rows), name), edges, cases)
    return new Map(
      [...found].map(([term, counts]) => [
        term,
        { ...toFigures(counts, counted), ...(beside.get(term) ?? NONE) },
      ]),
    )
  })

  return {
    stored,
    period: counted.period,
    days: counted.coverage,
    weekStartsAt: week.parts.since,
    countConcerns: (interests) => countConcerns(rows, interests, { name, start, end, cases }),
    none: figuresOf(cases ? { counts: [], repeats: new Int32Array() } : { counts: [] }, counted),
    byTerm,
  }
}

const NONE: Beside = { others: new Map(), victims: 0 }

function toFigures(
  { value, firstAt, latestAt, ...pieces }: TermCounts,
  counted: CountedPeriod,
): Omit<Tally, keyof Beside> {
  const { isWhole: _, ...figures } = countPeriod(counted, pieces)
  return {
    value,
    ...figures,
    ...figuresOf(pieces, counted),
    firstAt: toIso(firstAt) ?? null,
    latestAt: toIso(latestAt) ?? null,
  }
}

function figuresOf(pieces: PieceCounts, counted: CountedPeriod): IntervalCounts {
  const { count, isWhole, ...week } = countPeriod(counted, pieces, 'week')
  const known = (of: PieceCounts) => {
    const perDay = countsOf(counted, counted.days, of)
    return counted.days.map(({ coverage }, at) => knownCount(coverage, perDay[at]))
  }
  return {
    counts: known({ counts: pieces.counts }),
    ...(pieces.repeats && { caseCounts: known(pieces) }),
    week: count !== null && isWhole ? { count, ...toWeek(week) } : null,
  }
}

function toWeek({ cases, compared }: Pick<PeriodCount, 'cases' | 'compared'>) {
  return { ...(typeof cases === 'number' && { cases }), compared }
}

/** The concerns of a term for an answer: null where none were counted. */
export function toConcerns(
  counts: ReturnType<Tallies['countConcerns']>,
  term: string,
  { none }: Tallies,
): { concerns: number | null; concernCases?: number | null } {
  const { count, cases = 0 } = counts?.get(term) ?? { count: 0 }
  return {
    concerns: counts && count,
    ...(none.caseCounts && { concernCases: counts && cases }),
  }
}
