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
import { FACET_NAMES, type FacetName, type ThreatFilter } from '#contract/bff/threat-list.ts'
import { countTerms, groupByTerm, orderedRows, placeBefore, type TermCounts } from './count-days.ts'
import { findTerms } from './find-by-query.ts'
import { type IndexRows, valueOfTerm } from './index-rows.ts'
import { inSlices, type Slices } from './slices.ts'
import { wantedTerms } from './threat-terms.ts'

type IntervalCounts = { counts: (number | null)[]; week: Week }

/** Counts one value of a name in the intervals of a period. `others` and `victims` count its records of the period. */
export type Tally = Beside &
  IntervalCounts & {
    value: string
    /** The sum of the known intervals; null if none is known. */
    count: number | null
    /** Compares with the same part of the period before; null unless all of both is stored. */
    compared: Comparison | null
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
  /** Keys are the window's terms. */
  byTerm: ReadonlyMap<string, Tally>
}

export type TallyName = 'actor' | 'country'

const OTHERS = {
  actor: ['category', 'country', 'industry', 'severity'],
  country: ['category', 'actor', 'industry', 'severity'],
} as const satisfies Record<TallyName, readonly FacetName[]>

/** A team counts actors and countries, each in its zones and periods. Beyond this number, each request counts anew. */
const KEPT_MAX_COUNT = 32

export type TallySource = {
  store: ThreatStore
  clock: Clock
}

/** Counts of rows are valid until the rows change. */
type Kept = {
  /** Keys are periods: each minute that compares up to another moment counts anew. */
  byTerm: LRUCache<string, Tallies['byTerm']>
  /** Keys are the days of the period, independent of the minute. */
  beside: LRUCache<string, Promise<ReadonlyMap<string, Beside>>>
}

const keptOf = new WeakMap<IndexRows, Kept>()

/** Counts all actors or countries of the window at once: searches, tabs and pages of one are looked up in the same tallies. */
export async function readTallies(
  { store, clock }: TallySource,
  name: TallyName,
  { timeZone, period }: { timeZone: string; period: string },
): Promise<Tallies> {
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

function figuresOf(counts: readonly number[], counted: CountedPeriod): IntervalCounts {
  const { count, isWhole, compared } = countPeriod(counted, counts, 'week')
  const perDay = countsOf(counted, counted.days, counts)
  return {
    counts: counted.days.map(({ coverage }, at) => knownCount(coverage, perDay[at])),
    week: count !== null && isWhole ? { count, compared } : null,
  }
}

type ConcernsRequest = {
  name: FacetName
  /** Epoch milliseconds: from `start` on, before `end`. */
  start: number
  end: number
}

/**
 * Counts the rows of a time in one of some industries of one of some countries, by the terms of their values of `name`.
 * Null unless both are named: an industry of the whole world, or a whole country, is no reason by itself.
 */
function countConcerns(
  rows: IndexRows,
  { country, industry }: ThreatFilter,
  { name, start, end }: ConcernsRequest,
): ReadonlyMap<string, number> | null {
  const wanted = wantedTerms({ country, industry })
  const [countries, industries] = [wanted.get('country'), wanted.get('industry')]
  if (!countries || !industries) return null
  const both = findTerms(rows, countries).intersect(findTerms(rows, industries))
  const { at, slots, terms, termStarts, dictionaries } = rows
  const bit = 1 << FACET_NAMES.indexOf(name)
  const counts = new Map<string, number>()
  for (let row = both.next(0); row >= 0 && row < rows.count; row = both.next(row + 1)) {
    const time = at[row] ?? 0
    if (time < start || time >= end) continue
    const slot = slots[row] ?? 0
    for (let place = termStarts[slot] ?? 0; place < (termStarts[slot + 1] ?? 0); place++) {
      const term = terms[place] ?? 0
      if (dictionaries.termBits[term] !== bit) continue
      const word = dictionaries.terms.words[term] ?? ''
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return counts
}

/** A slice counts about as many rows. */
const SLICE_COUNT = 20_000

/** Facts about the rows that share one value. */
type Beside = {
  /** Other values, most frequent first. */
  others: ReadonlyMap<FacetName, readonly { value: string; count: number }[]>
  /** The number of distinct organisations. */
  victims: number
}

type BesideRequest = {
  name: FacetName
  others: readonly FacetName[]
  /** Epoch milliseconds: from `start` on, before `end`. */
  start: number
  end: number
}

/** Counts what stands beside each value of a name in a time, by the values' terms. */
export function* countBeside(
  rows: IndexRows,
  { name, others, start, end }: BesideRequest,
): Slices<Map<string, Beside>> {
  const { slots, terms, termStarts, victims, victimStarts, dictionaries } = rows
  const bits = others.reduce((all, other) => all | (1 << FACET_NAMES.indexOf(other)), 0)
  const isOther = Uint8Array.from(dictionaries.termBits, (own) => ((own & bits) === 0 ? 0 : 1))
  const counts = new Int32Array(isOther.length)
  /** The value of each organisation's last row. */
  const metBeside = new Int32Array(dictionaries.victims.words.length).fill(-1)
  const found = new Map<string, Beside>()
  let looked = 0
  for (const [term, all] of groupByTerm(rows, orderedRows(rows), name)) {
    const own = all.subarray(placeBefore(rows, all, end), placeBefore(rows, all, start))
    const met: number[] = []
    let victimCount = 0
    for (const row of own) {
      const slot = slots[row] ?? 0
      const termEnd = termStarts[slot + 1] ?? 0
      for (let at = termStarts[slot] ?? 0; at < termEnd; at++) {
        const other = terms[at] ?? 0
        if (isOther[other] !== 1) continue
        if (counts[other] === 0) met.push(other)
        counts[other] = (counts[other] ?? 0) + 1
      }
      const victimEnd = victimStarts[slot + 1] ?? 0
      for (let at = victimStarts[slot] ?? 0; at < victimEnd; at++) {
        const victim = victims[at] ?? 0
        if (metBeside[victim] === term) continue
        metBeside[victim] = term
        victimCount++
      }
    }
    const ranked = rankTerms(rows, met, counts)
    found.set(dictionaries.terms.words[term] ?? '', {
      others: new Map(others.map((other) => [other, ranked.get(1 << FACET_NAMES.indexOf(other)) ?? []])),
      victims: victimCount,
    })
    for (const other of met) counts[other] = 0
    looked += own.length
    if (looked < SLICE_COUNT) continue
    looked = 0
    yield
  }
  return found
}

/** Terms by the bit of their name, the most frequent first. */
function rankTerms({ dictionaries }: IndexRows, met: readonly number[], counts: Int32Array) {
  const { terms, termBits } = dictionaries
  const ranked = met
    .map((term) => ({ term, word: terms.words[term] ?? '', count: counts[term] ?? 0 }))
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
  const byName = Map.groupBy(ranked, ({ term }) => termBits[term] ?? 0)
  return new Map(
    [...byName].map(([bit, some]) => [
      bit,
      some.map(({ term, count }) => ({ value: valueOfTerm(dictionaries, term), count })),
    ]),
  )
}
