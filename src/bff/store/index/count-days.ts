import { DATED_FROM_MS } from '#bff/time/time-range.ts'
import type { FacetName } from '#contract/bff/threat-list.ts'
import { bisect } from './bisect.ts'
import { isUnfiltered, type Selector } from './filter-rows.ts'
import { type IndexRows, valueOfTerm } from './index-rows.ts'
import { matchRows } from './select-rows.ts'
import { groupByTerm, orderedRows, type TermRows } from './term-rows.ts'

export type DayCounts = {
  counts: number[]
  /** The most frequent values of a name among the counted rows of the days from `seriesFrom` on, before `seriesEnd`, each with its counts of all days. */
  series: { value: string; counts: number[] }[]
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

/** Counts the rows of each day that a filter matches. */
export function countDays(
  rows: IndexRows,
  selector: Selector,
  { starts, by, seriesFrom, seriesEnd, seriesMaxCount }: DayCountRequest,
): DayCounts {
  const from = selector.bounds.start ?? Number.NEGATIVE_INFINITY
  const end = selector.bounds.end ?? Number.POSITIVE_INFINITY
  const edges = starts.map((edge) => Math.min(Math.max(edge, from), end))
  const matched = isUnfiltered(selector) ? orderedRows(rows) : matchRows(rows, selector)
  const counts = countPerDay(rows, matched, edges)
  if (by === undefined) return { counts, series: [] }
  const series = [...countTerms(rows, groupByTerm(rows, matched, by), edges)]
    .map(([term, own]) => ({
      ...own,
      term,
      sum: own.counts.slice(seriesFrom, seriesEnd).reduce((a, b) => a + b, 0),
    }))
    .filter(({ sum }) => sum > 0)
    .sort((a, b) => b.sum - a.sum || (a.term < b.term ? -1 : 1))
    .slice(0, seriesMaxCount)
    .map(({ value, counts }) => ({ value, counts }))
  return { counts, series }
}

export type TermCounts = {
  value: string
  /** Counts by day, oldest first. */
  counts: number[]
  /** Epoch milliseconds: of all dated rows up to the last day; null where none is. */
  firstAt: number | null
  latestAt: number | null
}

/** Counts the rows of each value, day by day. */
export function countTerms(
  rows: IndexRows,
  termRows: TermRows,
  starts: readonly number[],
): Map<string, TermCounts> {
  const { at, dictionaries } = rows
  const lastEdge = starts.at(-1) ?? DATED_FROM_MS
  return new Map(
    [...termRows].map(([term, own]) => {
      const dated = own.subarray(placeBefore(rows, own, lastEdge), placeBefore(rows, own, DATED_FROM_MS))
      return [
        dictionaries.terms.words[term] ?? '',
        {
          value: valueOfTerm(dictionaries, term),
          counts: countPerDay(rows, own, starts),
          firstAt: at[dated.at(-1) ?? -1] ?? null,
          latestAt: at[dated[0] ?? -1] ?? null,
        },
      ]
    }),
  )
}
