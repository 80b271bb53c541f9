import { FACET_NAMES, type FacetName } from '#contract/bff/threat-list.ts'
import type { IndexRows } from './index-rows.ts'

/** The rows of each value of a name, newest first, by the number of its term. */
export type TermRows = ReadonlyMap<number, Int32Array>

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
