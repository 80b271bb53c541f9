import type { IndexRows } from './index-rows.ts'
import type { Selection } from './select-rows.ts'
import { FACET_NAMES, type FacetName } from './threat-terms.ts'

export type DayCounts = {
  counts: number[]
  /** The most frequent values of a name among the counted rows from `seriesFrom` on, each with its counts of all days. */
  series: { value: string; counts: number[] }[]
}

export type DayQuestion = {
  /** The first moments of days that follow each other, oldest first, and the end of the last: epoch milliseconds. */
  starts: readonly number[]
  by: FacetName | undefined
  seriesFrom: number
  seriesMaxCount: number
}

/** How many rows of a selection each day holds. */
export function countDays(
  { at, terms, termStarts, dictionaries }: IndexRows,
  { matched }: Selection,
  { starts, by, seriesFrom, seriesMaxCount }: DayQuestion,
): DayCounts {
  const days = starts.length - 1
  const counts = new Array<number>(days).fill(0)
  const bit = by === undefined ? 0 : 1 << FACET_NAMES.indexOf(by)
  const byTerm = new Map<number, number[]>()
  let day = days
  for (const row of matched) {
    const time = at[row] ?? 0
    // Newest first, as the days from the last one on.
    while (day >= 0 && time < (starts[day] ?? 0)) day--
    if (day < 0) break
    if (day === days) continue
    counts[day] = (counts[day] ?? 0) + 1
    for (let place = termStarts[row] ?? 0; bit !== 0 && place < (termStarts[row + 1] ?? 0); place++) {
      const term = terms[place] ?? 0
      if (dictionaries.termBits[term] !== bit) continue
      const own = byTerm.get(term) ?? new Array<number>(days).fill(0)
      own[day] = (own[day] ?? 0) + 1
      byTerm.set(term, own)
    }
  }
  const series = [...byTerm]
    .map(([term, own]) => ({ term, counts: own, sum: own.slice(seriesFrom).reduce((a, b) => a + b, 0) }))
    .filter(({ sum }) => sum > 0)
    .map((one) => ({ ...one, name: dictionaries.terms.words[one.term] ?? '' }))
    .sort((a, b) => b.sum - a.sum || (a.name < b.name ? -1 : 1))
    .slice(0, seriesMaxCount)
    .map(({ term, name, counts }) => ({ value: dictionaries.termValues[term] ?? name, counts }))
  return { counts, series }
}
