import { setImmediate } from 'node:timers/promises'
import { DATED_FROM_MS } from '#bff/time/time-range.ts'
import type { IndexRows } from './index-rows.ts'
import { FACET_NAMES, type FacetName } from './threat-terms.ts'

/** So many rows are counted in one go; then the event loop has its turn. */
const SLICE_COUNT = 20_000

/**
 * How many organisations are named beside each term of a name, each counted once, in the rows with a date from `start` on,
 * before `end`: epoch milliseconds.
 */
export async function countVictims(
  rows: IndexRows,
  name: FacetName,
  { start, end }: { start: number; end: number },
): Promise<Map<string, number>> {
  const { at, slots, terms, termStarts, victims, victimStarts, dictionaries } = rows
  const bit = 1 << FACET_NAMES.indexOf(name)
  const from = Math.max(start, DATED_FROM_MS)
  const found = new Map<number, Set<number>>()
  // Newest first.
  for (let row = 0; row < rows.count && (at[row] ?? 0) >= from; row++) {
    if (row % SLICE_COUNT === SLICE_COUNT - 1) await setImmediate()
    if ((at[row] ?? 0) >= end) continue
    const slot = slots[row] ?? 0
    const named = victims.subarray(victimStarts[slot], victimStarts[slot + 1])
    if (named.length === 0) continue
    for (const term of terms.subarray(termStarts[slot], termStarts[slot + 1])) {
      if (dictionaries.termBits[term] !== bit) continue
      const beside = found.get(term) ?? new Set()
      found.set(term, beside)
      for (const victim of named) beside.add(victim)
    }
  }
  return new Map([...found].map(([term, { size }]) => [dictionaries.terms.words[term] ?? '', size]))
}
