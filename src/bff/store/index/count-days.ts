import type { PieceCounts } from '#bff/time/piece-counts.ts'
import { DATED_FROM_MS } from '#bff/time/time-range.ts'
import { FACET_NAMES, type FacetName } from '#contract/bff/threat-list.ts'
import { bisect } from './bisect.ts'
import { type CaseColumn, ONLY_CLAIM } from './case-column.ts'
import { isUnfiltered, type Selector } from './filter-rows.ts'
import { type IndexRows, valueOfTerm } from './index-rows.ts'
import { matchRows } from './select-rows.ts'

export type DayCounts = PieceCounts & {
  /** The most frequent values of a name among the counted rows of the days from `seriesFrom` on, before `seriesEnd`, each with its counts of all days. */
  series: (PieceCounts & { value: string })[]
}

export type DayCountRequest = {
  /** The first moments of days that follow each other, oldest first, and the end of the last: epoch milliseconds. */
  starts: readonly number[]
  by: FacetName | undefined
  seriesFrom: number
  seriesEnd: number
  seriesMaxCount: number
}

/** Counts the records of each day. The records come newest first, and only the first record of each day is read. */
export function countPerDay(
  { at }: Readonly<{ at: ArrayLike<number> }>,
  matched: ArrayLike<number>,
  starts: readonly number[],
): number[] {
  const places = starts.map((start) => placeBefore({ at }, matched, start))
  return places.slice(1).map((end, day) => (places[day] ?? 0) - end)
}

/** Returns the index of the first record that is older than a time. */
export function placeBefore(
  { at }: Readonly<{ at: ArrayLike<number> }>,
  matched: ArrayLike<number>,
  moment: number,
): number {
  return bisect(matched.length, (place) => (at[matched[place] ?? 0] ?? 0) < moment)
}

/** Returns the pieces of the claims in a list whose case has an older claim in it, each before the piece of that one. */
type FindRepeats = (matched: Int32Array) => Int32Array

/** Claims of a list whose case has an older claim in it, each before the next older one: found once for each list. */
const repeated = new WeakMap<CaseColumn, WeakMap<Int32Array, Int32Array>>()

/** One finder serves many lists: what it remembers is as long as there are rows and cases. */
function createFindRepeats(rows: IndexRows, cases: CaseColumn, edges: readonly number[]): FindRepeats {
  const pairsOf = createPairsOf(cases)
  const all = orderedRows(rows)
  const places = edges.map((edge) => placeBefore(rows, all, edge))
  const span = { first: places.at(-1) ?? 0, end: places[0] ?? 0 }
  const pieceOf = new Int16Array(Math.max(0, span.end - span.first))
  for (let piece = 0; piece + 1 < places.length; piece++)
    pieceOf.fill(piece, (places[piece + 1] ?? 0) - span.first, (places[piece] ?? 0) - span.first)
  return (matched) => {
    const pairs = pairsWithin(pairsOf(matched), span)
    const found = new Int32Array(pairs.length)
    let length = 0
    for (let at = 0; at < pairs.length; at += 2) {
      const before = pairs[at + 1] ?? 0
      if (before >= span.end) continue
      found[length++] = pieceOf[(pairs[at] ?? 0) - span.first] ?? 0
      found[length++] = pieceOf[before - span.first] ?? 0
    }
    return found.subarray(0, length)
  }
}

/** Rows that follow each other: from `first`, the newest, on, before `end`. */
type RowSpan = { first: number; end: number }

/** The pairs whose newer row is within a span. Pairs are in the order of these rows, the oldest first. */
function pairsWithin(pairs: Int32Array, { first, end }: RowSpan): Int32Array {
  const from = bisect(pairs.length / 2, (at) => (pairs[2 * at] ?? 0) < end)
  const to = bisect(pairs.length / 2, (at) => (pairs[2 * at] ?? 0) < first)
  return pairs.subarray(2 * from, 2 * to)
}

/** Counts the rows of a list in a time; with `pairsOf`, the cases of these rows. */
function countSum(
  rows: IndexRows,
  matched: Int32Array,
  { from, end }: { from: number; end: number },
  pairsOf: PairsOf | null,
): number {
  const count = placeBefore(rows, matched, from) - placeBefore(rows, matched, end)
  if (!pairsOf) return count
  const all = orderedRows(rows)
  const span = { first: placeBefore(rows, all, end), end: placeBefore(rows, all, from) }
  const pairs = pairsWithin(pairsOf(matched), span)
  let repeats = 0
  for (let at = 1; at < pairs.length; at += 2) if ((pairs[at] ?? 0) < span.end) repeats++
  return count - repeats
}

type PairsOf = (matched: Int32Array) => Int32Array

function createPairsOf(cases: CaseColumn): PairsOf {
  const known = repeated.get(cases) ?? new WeakMap<Int32Array, Int32Array>()
  repeated.set(cases, known)
  let findPairs: ReturnType<typeof createFindPairs> | null = null
  return (matched) => {
    const found = known.get(matched)
    if (found) return found
    findPairs ??= createFindPairs(cases)
    const pairs = findPairs(matched)
    known.set(matched, pairs)
    return pairs
  }
}

function createFindPairs({ numbers, ids }: CaseColumn) {
  const older = new Int32Array(ids.length)
  const lastList = new Int32Array(ids.length)
  let list = 0
  return (matched: Int32Array): Int32Array => {
    list++
    const found: number[] = []
    for (let place = matched.length - 1; place >= 0; place--) {
      const row = matched[place] ?? 0
      const number = numbers[row] ?? ONLY_CLAIM
      if (number === ONLY_CLAIM) continue
      if (lastList[number] === list) found.push(row, older[number] ?? 0)
      lastList[number] = list
      older[number] = row
    }
    return new Int32Array(found)
  }
}

/** Counts the rows of each day that a filter matches; with `cases`, the cases as well. */
export function countDays(
  rows: IndexRows,
  selector: Selector,
  { starts, by, seriesFrom, seriesEnd, seriesMaxCount }: DayCountRequest,
  cases: CaseColumn | null = null,
): DayCounts {
  const from = selector.bounds.start ?? Number.NEGATIVE_INFINITY
  const end = selector.bounds.end ?? Number.POSITIVE_INFINITY
  const edges = starts.map((edge) => Math.min(Math.max(edge, from), end))
  const matched = isUnfiltered(selector) ? orderedRows(rows) : matchRows(rows, selector)
  const all = {
    counts: countPerDay(rows, matched, edges),
    ...(cases && { repeats: createFindRepeats(rows, cases, edges)(matched) }),
  }
  if (by === undefined) return { ...all, series: [] }
  const counted = {
    from: edges[seriesFrom] ?? Number.POSITIVE_INFINITY,
    end: edges[seriesEnd] ?? edges.at(-1) ?? Number.POSITIVE_INFINITY,
  }
  const pairsOf = cases && createPairsOf(cases)
  const { words } = rows.dictionaries.terms
  const chosen = [...groupByTerm(rows, matched, by)]
    .map(([term, own]) => ({
      term,
      own,
      word: words[term] ?? '',
      sum: countSum(rows, own, counted, pairsOf),
    }))
    .filter(({ sum }) => sum > 0)
    .sort((a, b) => b.sum - a.sum || (a.word < b.word ? -1 : 1))
    .slice(0, seriesMaxCount)
  const series = countTerms(rows, new Map(chosen.map(({ term, own }) => [term, own])), edges, cases)
  return {
    ...all,
    series: [...series.values()].map(({ value, counts, repeats }) => ({
      value,
      counts,
      ...(repeats && { repeats }),
    })),
  }
}

export type TermCounts = PieceCounts & {
  value: string
  /** Epoch milliseconds: of all dated rows up to the last day; null where none is. */
  firstAt: number | null
  latestAt: number | null
}

/** Counts the rows of each value, day by day; with `cases`, the cases as well. */
export function countTerms(
  rows: IndexRows,
  termRows: TermRows,
  starts: readonly number[],
  cases: CaseColumn | null = null,
): Map<string, TermCounts> {
  const { at, dictionaries } = rows
  const findRepeats = cases && createFindRepeats(rows, cases, starts)
  const lastEdge = starts.at(-1) ?? DATED_FROM_MS
  return new Map(
    [...termRows].map(([term, own]) => {
      const dated = own.subarray(placeBefore(rows, own, lastEdge), placeBefore(rows, own, DATED_FROM_MS))
      return [
        dictionaries.terms.words[term] ?? '',
        {
          value: valueOfTerm(dictionaries, term),
          counts: countPerDay(rows, own, starts),
          ...(findRepeats && { repeats: findRepeats(own) }),
          firstAt: at[dated.at(-1) ?? -1] ?? null,
          latestAt: at[dated[0] ?? -1] ?? null,
        },
      ]
    }),
  )
}

/** The rows of each value of a name, newest first, by the number of its term. */
type TermRows = ReadonlyMap<number, Int32Array>

const ordered = new WeakMap<IndexRows, Int32Array>()
/** Rows are grouped once per list, independent of who counts them and by which days. */
const grouped = new WeakMap<Int32Array, Map<FacetName, TermRows>>()

/** All rows: the same list for as long as there are no others. */
export function orderedRows(rows: IndexRows): Int32Array {
  const known = ordered.get(rows) ?? Int32Array.from({ length: rows.count }, (_, row) => row)
  ordered.set(rows, known)
  return known
}

/** Groups rows by the values of a name: two passes, whatever is counted by them afterwards. */
export function groupByTerm(rows: IndexRows, matched: Int32Array, name: FacetName): TermRows {
  const known = grouped.get(matched) ?? new Map<FacetName, TermRows>()
  grouped.set(matched, known)
  const own = known.get(name) ?? makeGroups(rows, matched, 1 << FACET_NAMES.indexOf(name))
  known.set(name, own)
  return own
}

function makeGroups(rows: IndexRows, matched: Int32Array, bit: number): TermRows {
  const { terms, termStarts, slots, dictionaries } = rows
  const isOwn = Uint8Array.from(dictionaries.termBits, (bits) => (bits === bit ? 1 : 0))
  /** The next free position for each term, after all rows of the terms before it. */
  const nexts = new Int32Array(isOwn.length + 1)
  for (const row of matched) {
    const slot = slots[row] ?? 0
    const end = termStarts[slot + 1] ?? 0
    for (let at = termStarts[slot] ?? 0; at < end; at++) {
      const term = terms[at] ?? 0
      if (isOwn[term] === 1) nexts[term + 1] = (nexts[term + 1] ?? 0) + 1
    }
  }
  for (let term = 0; term < isOwn.length; term++)
    nexts[term + 1] = (nexts[term + 1] ?? 0) + (nexts[term] ?? 0)
  const starts = nexts.slice()
  const places = new Int32Array(starts.at(-1) ?? 0)
  for (const row of matched) {
    const slot = slots[row] ?? 0
    const end = termStarts[slot + 1] ?? 0
    for (let at = termStarts[slot] ?? 0; at < end; at++) {
      const term = terms[at] ?? 0
      if (isOwn[term] !== 1) continue
      const next = nexts[term] ?? 0
      places[next] = row
      nexts[term] = next + 1
    }
  }
  const groups = new Map<number, Int32Array>()
  for (let term = 0; term < isOwn.length; term++) {
    const own = places.subarray(starts[term], starts[term + 1])
    if (own.length > 0) groups.set(term, own)
  }
  return groups
}
