import { setImmediate } from 'node:timers/promises'
import { normaliseText } from '#matcher/normalise-text.ts'
import { Dictionary } from './dictionary.ts'
import { type Dictionaries, FIELD_STARTS_LENGTH, type IndexRows } from './index-rows.ts'
import { compareTexts, findRank, NO_RANK, type RankColumn } from './rank-column.ts'

/** Names that are the same up to here are one. */
const KEY_MAX_LENGTH = 200
/** Number of rows and names that are read before the event loop has its turn. */
const ROWS_SLICE_COUNT = 10_000
const NAMES_SLICE_COUNT = 4_000

/** The names of all rows before and after a change, and the order of those that were sorted. */
type Victims = { names: Dictionary; sorted: Int32Array }
const victimsOf = new WeakMap<Dictionaries, Victims>()

/** Ranks rows by their first organisation, as the matcher normalises it. */
export async function rankVictims(rows: IndexRows): Promise<RankColumn> {
  const known = victimsOf.get(rows.dictionaries)
  const victims = known ?? { names: new Dictionary(), sorted: new Int32Array(0) }
  if (!known) victimsOf.set(rows.dictionaries, victims)

  const numbers = new Int32Array(rows.count).fill(NO_RANK)
  for (let row = 0; row < rows.count; row++) {
    const name = firstVictim(rows, row)
    if (name !== '') numbers[row] = victims.names.add(name)
    if (row % ROWS_SLICE_COUNT === ROWS_SLICE_COUNT - 1) await setImmediate()
  }
  const sorted = await sortNames(victims)
  // Other rows may have been ranked meanwhile, with more names.
  if (sorted.length > victims.sorted.length) victims.sorted = sorted

  const rankOf = new Int32Array(sorted.length)
  for (let rank = 0; rank < sorted.length; rank++) rankOf[sorted[rank] ?? 0] = rank
  const ranks = numbers.map((number) => (number === NO_RANK ? NO_RANK : (rankOf[number] ?? NO_RANK)))
  const nameAt = (rank: number) => victims.names.words[sorted[rank] ?? NO_RANK] ?? ''
  return {
    ranks,
    count: sorted.length,
    keyOf: nameAt,
    rankOf: (key) => (key === '' ? NO_RANK : findRank(sorted.length, nameAt, key)),
    // Only the records themselves have it as people write it.
    labelOf: () => null,
  }
}

/** The key of the first of some names that has a word; empty where none has. */
export function victimKey(organizations: readonly string[]): string {
  return cut(organizations.map((name) => normaliseText(name).trim()).find((name) => name !== '') ?? '')
}

function firstVictim(rows: IndexRows, row: number): string {
  const { dictionaries, slots, tokens, tokenStarts, fieldStarts } = rows
  const slot = slots[row] ?? 0
  const first = tokenStarts[slot] ?? 0
  const end = first + (fieldStarts[slot * FIELD_STARTS_LENGTH + 1] ?? 0)
  let name = ''
  for (let at = first + (fieldStarts[slot * FIELD_STARTS_LENGTH] ?? 0); at < end; at++) {
    const token = tokens[at] ?? 0
    if (token === 0) break
    name += name === '' ? dictionaries.tokens.words[token] : ` ${dictionaries.tokens.words[token]}`
  }
  return cut(name)
}

function cut(name: string): string {
  return name.slice(0, KEY_MAX_LENGTH).toWellFormed().trim()
}

/** The numbers of all names in the order of the names: those that came last are sorted, and merged with the others. */
async function sortNames({ names: { words }, sorted }: Victims): Promise<Int32Array> {
  const compare = (a: number, b: number) => compareTexts(words[a] ?? '', words[b] ?? '')
  const count = words.length
  let runs: Int32Array[] = []
  for (let first = sorted.length; first < count; first += NAMES_SLICE_COUNT) {
    const length = Math.min(NAMES_SLICE_COUNT, count - first)
    runs.push(Int32Array.from({ length }, (_, at) => first + at).sort(compare))
    await setImmediate()
  }
  if (runs.length === 0) return sorted
  while (runs.length > 1) {
    const merged: Int32Array[] = []
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await merge(runs[at] ?? sorted, runs[at + 1] ?? new Int32Array(0), compare))
    }
    runs = merged
  }
  return merge(sorted, runs[0] ?? sorted, compare)
}

async function merge(
  a: Int32Array,
  b: Int32Array,
  compare: (a: number, b: number) => number,
): Promise<Int32Array> {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a
  const merged = new Int32Array(a.length + b.length)
  let fromA = 0
  let fromB = 0
  for (let at = 0; at < merged.length; at++) {
    const isA = fromB === b.length || (fromA < a.length && compare(a[fromA] ?? 0, b[fromB] ?? 0) < 0)
    merged[at] = (isA ? a[fromA++] : b[fromB++]) ?? 0
    if (at % ROWS_SLICE_COUNT === ROWS_SLICE_COUNT - 1) await setImmediate()
  }
  return merged
}
