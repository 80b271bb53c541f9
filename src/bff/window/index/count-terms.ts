import type { HeldRows } from './held-rows.ts'
import { FACET_NAMES, type FacetName } from './threat-terms.ts'

export type TermCounts = {
  value: string
  /** Of each day, oldest first. */
  counts: number[]
  /** Epoch milliseconds: of all that is held, whatever the days. */
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
  rows: HeldRows,
  { name, others, starts, othersFrom }: TermQuestion,
): Map<string, TermCounts> {
  const { at, terms, termStarts, words } = rows
  const days = starts.length - 1
  const own = 1 << FACET_NAMES.indexOf(name)
  const beside = others.reduce((bits, other) => bits | (1 << FACET_NAMES.indexOf(other)), 0)
  const found = new Map<number, Found>()
  let day = days
  for (let slot = 0; slot < rows.count; slot++) {
    const time = at[slot] ?? 0
    // Newest first, as the days from the last one on.
    while (day >= 0 && time < (starts[day] ?? 0)) day--
    const rowTerms = terms.subarray(termStarts[slot], termStarts[slot + 1])
    for (const term of rowTerms) {
      if (words.termBits[term] !== own) continue
      const one = found.get(term) ?? start(days, time)
      found.set(term, one)
      one.firstAt = time
      if (day < 0 || day === days) continue
      one.counts[day] = (one.counts[day] ?? 0) + 1
      if (day < othersFrom) continue
      for (const other of rowTerms) {
        if (((words.termBits[other] ?? 0) & beside) !== 0)
          one.others.set(other, (one.others.get(other) ?? 0) + 1)
      }
    }
  }
  const spell = (term: number) => words.termValues[term] ?? words.terms.words[term] ?? ''
  return new Map(
    [...found].map(([term, one]) => [
      words.terms.words[term] ?? '',
      { ...one, value: spell(term), others: rankOthers(one.others) },
    ]),
  )

  function rankOthers(counts: Found['others']): TermCounts['others'] {
    const ranked = [...counts]
      .map(([term, count]) => ({ term: words.terms.words[term] ?? '', value: spell(term), count }))
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
