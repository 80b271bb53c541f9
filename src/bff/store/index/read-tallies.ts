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
import type { Period } from '#contract/bff/period.ts'
import { FACET_NAMES, type FacetName, type ThreatFilter } from '#contract/bff/threat-list.ts'
import type { Comparison } from '#contract/bff/trend.ts'
import { type CaseColumn, ONLY_CLAIM } from './case-column.ts'
import { countTerms, groupByTerm, orderedRows, placeBefore, type TermCounts } from './count-days.ts'
import { findTerms } from './find-by-query.ts'
import { type IndexRows, valueOfTerm } from './index-rows.ts'
import { inSlices, type Slices } from './slices.ts'
import { wantedTerms } from './threat-terms.ts'

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

/** Counts records; `cases` where cases are counted too. */
type CountOfRows = { count: number; cases?: number }

type ConcernsRequest = {
  name: FacetName
  /** Epoch milliseconds: from `start` on, before `end`. */
  start: number
  end: number
  cases: CaseColumn | null
}

/**
 * Counts the rows of a time in one of some industries of one of some countries, by the terms of their values of `name`.
 * Null unless both are named: an industry of the whole world, or a whole country, is no reason by itself.
 */
function countConcerns(
  rows: IndexRows,
  { country, industry }: ThreatFilter,
  { name, start, end, cases }: ConcernsRequest,
): ReadonlyMap<string, CountOfRows> | null {
  const wanted = wantedTerms({ country, industry })
  const [countries, industries] = [wanted.get('country'), wanted.get('industry')]
  if (!countries || !industries) return null
  const both = findTerms(rows, countries).intersect(findTerms(rows, industries))
  const { at, slots, terms, termStarts, dictionaries } = rows
  const bit = 1 << FACET_NAMES.indexOf(name)
  const counts = new Map<string, CountOfRows>()
  const isFirst = cases && createFirstTest(rows, cases)
  for (let row = both.next(0); row >= 0 && row < rows.count; row = both.next(row + 1)) {
    const time = at[row] ?? 0
    if (time < start || time >= end) continue
    const slot = slots[row] ?? 0
    for (let place = termStarts[slot] ?? 0; place < (termStarts[slot + 1] ?? 0); place++) {
      const term = terms[place] ?? 0
      if (dictionaries.termBits[term] !== bit) continue
      const word = dictionaries.terms.words[term] ?? ''
      const { count, cases = 0 } = counts.get(word) ?? { count: 0 }
      counts.set(word, {
        count: count + 1,
        ...(isFirst && { cases: isFirst(row, term) ? cases + 1 : cases }),
      })
    }
  }
  return counts
}

/** Returns true for the first row of a case with a term that a test meets. */
function createFirstTest({ dictionaries }: IndexRows, { numbers }: CaseColumn) {
  const termCount = dictionaries.terms.words.length
  const met = new Set<number>()
  return (row: number, term: number): boolean => {
    const number = numbers[row] ?? ONLY_CLAIM
    if (number === ONLY_CLAIM) return true
    const key = number * termCount + term
    if (met.has(key)) return false
    met.add(key)
    return true
  }
}

/** A slice counts about as many rows. */
const SLICE_COUNT = 20_000

/** Facts about the rows that share one value. */
type Beside = {
  /** Other values, most frequent first. */
  others: ReadonlyMap<FacetName, readonly (CountOfRows & { value: string })[]>
  /** The number of distinct organisations. */
  victims: number
}

type BesideRequest = {
  name: FacetName
  others: readonly FacetName[]
  /** Epoch milliseconds: from `start` on, before `end`. */
  start: number
  end: number
  /** Counts cases as well, and ranks by them. */
  cases?: CaseColumn | null
}

/** Counts what stands beside each value of a name in a time, by the values' terms. */
export function* countBeside(
  rows: IndexRows,
  { name, others, start, end, cases = null }: BesideRequest,
): Slices<Map<string, Beside>> {
  const { slots, terms, termStarts, victims, victimStarts, dictionaries } = rows
  const bits = others.reduce((all, other) => all | (1 << FACET_NAMES.indexOf(other)), 0)
  const isOther = Uint8Array.from(dictionaries.termBits, (own) => ((own & bits) === 0 ? 0 : 1))
  const counts = new Int32Array(isOther.length)
  const caseCounts = cases && new Int32Array(isOther.length)
  /** The value of each organisation's last row. */
  const metBeside = new Int32Array(dictionaries.victims.words.length).fill(-1)
  const found = new Map<string, Beside>()
  let looked = 0
  for (const [term, all] of groupByTerm(rows, orderedRows(rows), name)) {
    const own = all.subarray(placeBefore(rows, all, end), placeBefore(rows, all, start))
    const met: number[] = []
    let victimCount = 0
    const isFirst = cases && createFirstTest(rows, cases)
    for (const row of own) {
      const slot = slots[row] ?? 0
      const termEnd = termStarts[slot + 1] ?? 0
      for (let at = termStarts[slot] ?? 0; at < termEnd; at++) {
        const other = terms[at] ?? 0
        if (isOther[other] !== 1) continue
        if (counts[other] === 0) met.push(other)
        counts[other] = (counts[other] ?? 0) + 1
        if (caseCounts && isFirst?.(row, other)) caseCounts[other] = (caseCounts[other] ?? 0) + 1
      }
      const victimEnd = victimStarts[slot + 1] ?? 0
      for (let at = victimStarts[slot] ?? 0; at < victimEnd; at++) {
        const victim = victims[at] ?? 0
        if (metBeside[victim] === term) continue
        metBeside[victim] = term
        victimCount++
      }
    }
    const ranked = rankTerms(rows, met, { counts, caseCounts })
    found.set(dictionaries.terms.words[term] ?? '', {
      others: new Map(others.map((other) => [other, ranked.get(1 << FACET_NAMES.indexOf(other)) ?? []])),
      victims: victimCount,
    })
    for (const other of met) {
      counts[other] = 0
      if (caseCounts) caseCounts[other] = 0
    }
    looked += own.length
    if (looked < SLICE_COUNT) continue
    looked = 0
    yield
  }
  return found
}

type OtherCounts = { counts: Int32Array; caseCounts: Int32Array | null }

/** Terms by the bit of their name, the most frequent first. */
function rankTerms({ dictionaries }: IndexRows, met: readonly number[], { counts, caseCounts }: OtherCounts) {
  const { terms, termBits } = dictionaries
  const ranks = caseCounts ?? counts
  const ranked = met
    .map((term) => ({ term, word: terms.words[term] ?? '', rank: ranks[term] ?? 0 }))
    .sort((a, b) => b.rank - a.rank || (a.word < b.word ? -1 : 1))
  const byName = Map.groupBy(ranked, ({ term }) => termBits[term] ?? 0)
  return new Map(
    [...byName].map(([bit, some]) => [
      bit,
      some.map(({ term, rank }) => ({
        value: valueOfTerm(dictionaries, term),
        count: counts[term] ?? 0,
        ...(caseCounts && { cases: rank }),
      })),
    ]),
  )
}
