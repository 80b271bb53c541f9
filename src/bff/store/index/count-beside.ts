import { FACET_NAMES, type FacetName } from '#contract/bff/threat-list.ts'
import { placeBefore } from './count-days.ts'
import { type IndexRows, valueOfTerm } from './index-rows.ts'
import type { Slices } from './slices.ts'
import { groupByTerm, orderedRows } from './term-rows.ts'

/** A slice counts about as many rows. */
const SLICE_COUNT = 20_000

/** Facts about the rows that share one value. */
export type Beside = {
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
