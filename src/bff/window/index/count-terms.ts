import type { IndexRows } from './index-rows.ts'
import { FACET_NAMES, type FacetName } from './threat-terms.ts'

export type TermCounts = {
  value: string
  /** Of each day, oldest first. */
  counts: number[]
  /** Epoch milliseconds: of all that is stored, whatever the days. */
  firstAt: number
  latestAt: number
  /** What the records of the later days also hold, most frequent first. */
  others: Map<FacetName, { value: string; count: number }[]>
}

type TermQuestion = {
  name: FacetName
  others: readonly FacetName[]
  /** The first moments of days that follow each other, oldest first, and the end of the last: epoch milliseconds. */
  starts: readonly number[]
  /** The first day whose records tell what else they hold. */
  othersFrom: number
}

type Found = { counts: number[]; firstAt: number; latestAt: number; others: Map<number, number> }

/** Counts each value of a name day by day, and what stands beside it, in one look at all records. */
export function countTerms(
  rows: IndexRows,
  { name, others, starts, othersFrom }: TermQuestion,
): Map<string, TermCounts> {
  const { at, terms, termStarts, dictionaries } = rows
  const days = starts.length - 1
  const own = 1 << FACET_NAMES.indexOf(name)
  const beside = others.reduce((bits, other) => bits | (1 << FACET_NAMES.indexOf(other)), 0)
  const found = new Map<number, Found>()
  let day = days
  for (let row = 0; row < rows.count; row++) {
    const time = at[row] ?? 0
    // Newest first, as the days from the last one on.
    while (day >= 0 && time < (starts[day] ?? 0)) day--
    const rowTerms = terms.subarray(termStarts[row], termStarts[row + 1])
    for (const term of rowTerms) {
      if (dictionaries.termBits[term] !== own) continue
      const one = found.get(term) ?? start(days, time)
      found.set(term, one)
      one.firstAt = time
      if (day < 0 || day === days) continue
      one.counts[day] = (one.counts[day] ?? 0) + 1
      if (day < othersFrom) continue
      for (const other of rowTerms) {
        if (((dictionaries.termBits[other] ?? 0) & beside) !== 0)
          one.others.set(other, (one.others.get(other) ?? 0) + 1)
      }
    }
  }
  const nameTerm = (term: number) => dictionaries.termValues[term] ?? dictionaries.terms.words[term] ?? ''
  return new Map(
    [...found].map(([term, one]) => [
      dictionaries.terms.words[term] ?? '',
      { ...one, value: nameTerm(term), others: rankOthers(one.others) },
    ]),
  )

  function rankOthers(counts: Found['others']): TermCounts['others'] {
    const ranked = [...counts]
      .map(([term, count]) => ({ term: dictionaries.terms.words[term] ?? '', value: nameTerm(term), count }))
      .sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1))
    return new Map(
      others.map((other) => [
        other,
        ranked
          .filter(({ term }) => term.startsWith(`${other}:`))
          .map(({ value, count }) => ({ value, count })),
      ]),
    )
  }
}

function start(days: number, latestAt: number): Found {
  return { counts: new Array<number>(days).fill(0), firstAt: latestAt, latestAt, others: new Map() }
}
