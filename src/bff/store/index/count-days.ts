import { DATED_FROM_MS } from '#bff/time/time-range.ts'
import { type IndexRows, valueOfTerm } from './index-rows.ts'
import { FACET_NAMES, type FacetName } from './threat-terms.ts'

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

/** How many of some records, which come newest first, each day has. */
export function countPerDay(
  { at }: Readonly<{ at: ArrayLike<number> }>,
  matched: Iterable<number>,
  starts: readonly number[],
): number[] {
  const days = starts.length - 1
  const counts = new Array<number>(days).fill(0)
  const dayOf = createDayFinder(starts)
  for (const row of matched) {
    const day = dayOf(at[row] ?? 0)
    if (day < 0) break
    if (day < days) counts[day] = (counts[day] ?? 0) + 1
  }
  return counts
}

/** How many of some rows, which come newest first, each day has. */
export function countDays(
  rows: IndexRows,
  matched: Iterable<number>,
  { starts, by, seriesFrom, seriesEnd, seriesMaxCount }: DayCountRequest,
): DayCounts {
  const counts = countPerDay(rows, matched, starts)
  if (by === undefined) return { counts, series: [] }
  const series = [...countTerms(rows, matched, { name: by, others: [], starts, othersFrom: 0, othersEnd: 0 })]
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
  /** Of each day, oldest first. */
  counts: number[]
  /** Epoch milliseconds: of all dated rows up to the last day; null where none is. */
  firstAt: number | null
  latestAt: number | null
  /** Which other values the rows of some days have, most frequent first. */
  others: Map<FacetName, { value: string; count: number }[]>
}

type TermCountRequest = Pick<DayCountRequest, 'starts'> & {
  name: FacetName
  others: readonly FacetName[]
  /** The first day whose rows are counted by their other values, and the first one after them. */
  othersFrom: number
  othersEnd: number
}

type Found = Omit<TermCounts, 'value' | 'others'> & { others: Map<number, number> }

/** Counts each value of a name among some rows, which come newest first, day by day, and what stands beside it. */
export function countTerms(
  rows: IndexRows,
  matched: Iterable<number>,
  { name, others, starts, othersFrom, othersEnd }: TermCountRequest,
): Map<string, TermCounts> {
  const { at, terms, termStarts, slots, dictionaries } = rows
  const { termBits } = dictionaries
  const days = starts.length - 1
  const bit = 1 << FACET_NAMES.indexOf(name)
  const beside = others.reduce((bits, other) => bits | (1 << FACET_NAMES.indexOf(other)), 0)
  const found = new Map<number, Found>()
  const dayOf = createDayFinder(starts)
  for (const row of matched) {
    const time = at[row] ?? 0
    const day = dayOf(time)
    const slot = slots[row] ?? 0
    const from = termStarts[slot] ?? 0
    const end = termStarts[slot + 1] ?? 0
    for (let index = from; index < end; index++) {
      const term = terms[index] ?? 0
      if (termBits[term] !== bit) continue
      const one = found.get(term) ?? start(days)
      found.set(term, one)
      if (day < days && time >= DATED_FROM_MS) {
        one.latestAt ??= time
        one.firstAt = time
      }
      if (day < 0 || day === days) continue
      one.counts[day] = (one.counts[day] ?? 0) + 1
      if (day < othersFrom || day >= othersEnd) continue
      for (let next = from; next < end; next++) {
        const other = terms[next] ?? 0
        if (((termBits[other] ?? 0) & beside) !== 0) one.others.set(other, (one.others.get(other) ?? 0) + 1)
      }
    }
  }
  return new Map(
    [...found].map(([term, one]) => [
      dictionaries.terms.words[term] ?? '',
      { ...one, value: valueOfTerm(dictionaries, term), others: rankOthers(rows, one.others, others) },
    ]),
  )
}

/** Where a moment is among the days: their count after the last, -1 before the first. Moments come newest first. */
function createDayFinder(starts: readonly number[]): (time: number) => number {
  let day = starts.length - 1
  return (time) => {
    while (day >= 0 && time < (starts[day] ?? 0)) day--
    return day
  }
}

function start(days: number): Found {
  return { counts: new Array<number>(days).fill(0), firstAt: null, latestAt: null, others: new Map() }
}

function rankOthers(
  { dictionaries }: IndexRows,
  counts: Found['others'],
  names: readonly FacetName[],
): TermCounts['others'] {
  const ranked = [...counts]
    .map(([term, count]) => ({
      term: dictionaries.terms.words[term] ?? '',
      value: valueOfTerm(dictionaries, term),
      count,
    }))
    .sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1))
  return new Map(
    names.map((name) => [
      name,
      ranked.filter(({ term }) => term.startsWith(`${name}:`)).map(({ value, count }) => ({ value, count })),
    ]),
  )
}
