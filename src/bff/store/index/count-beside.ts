import { FACET_NAMES, type FacetName, type ThreatFilter } from '#contract/bff/threat-list.ts'
import { type CaseColumn, ONLY_CLAIM } from './case-column.ts'
import { groupByTerm, orderedRows, placeBefore } from './count-days.ts'
import { findTerms } from './find-by-query.ts'
import { type IndexRows, valueOfTerm } from './index-rows.ts'
import type { Slices } from './slices.ts'
import { wantedTerms } from './threat-terms.ts'

/** Counts records; `cases` where cases are counted too. */
export type CountOfRows = { count: number; cases?: number }

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
export function countConcerns(
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
export type Beside = {
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
