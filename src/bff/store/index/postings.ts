import type { Dictionaries, IndexRows } from './index-rows.ts'
import type { RowSet } from './row-set.ts'
import { atOnce, inSlices, type Slices } from './slices.ts'

/** An inverted index: the slots of number n are from `starts[n]` on, before `starts[n + 1]`. */
type Segment = { starts: Int32Array; slots: Int32Array }

/** The rows by the numbers of their lists. Slots never change: what is new has a segment of its own. */
export type Postings = {
  segments: readonly Segment[]
  /** The row of each slot; -1 if the row is deleted. */
  rowOf: Int32Array
}

type Pair = { tokens: Segment; terms: Segment }
type Made = { tokens: Postings; terms: Postings }

/** Number of slots that are read before the event loop has its turn. */
const SLICE_COUNT = 4_000
/** New slots are merged with the others once there are so many, and an eighth of all. */
const RECENT_MAX_COUNT = 1_000
const RECENT_SHARE = 1 / 8

/** Most of all slots, by what shares them. */
const bases = new WeakMap<Dictionaries, Pair & { end: number }>()
const made = new WeakMap<IndexRows, Made>()

/** Rows by their tokens. */
export function postingsOf(index: IndexRows): Postings {
  return (made.get(index) ?? atOnce(makePostings(index))).tokens
}

/** Rows by their terms. */
export function termPostingsOf(index: IndexRows): Postings {
  return (made.get(index) ?? atOnce(makePostings(index))).terms
}

/** Makes both, a slice at a time, so that the first search keeps nobody waiting. */
export async function preparePostings(index: IndexRows): Promise<void> {
  await inSlices(makePostings(index))
}

/** Counts the slots that have a number, which are at least as many as its rows. */
export function countSlots({ segments }: Postings, number: number): number {
  return segments.reduce((sum, { starts }) => sum + endOf(starts, number) - (starts[number] ?? 0), 0)
}

/** Calls back for each row that has a number, in no order. */
function forEachRow({ segments, rowOf }: Postings, number: number, take: (row: number) => void): void {
  for (const { starts, slots } of segments) {
    const end = endOf(starts, number)
    for (let at = starts[number] ?? 0; at < end; at++) {
      const row = rowOf[slots[at] ?? 0] ?? -1
      if (row >= 0) take(row)
    }
  }
}

export function countRows(postings: Postings, number: number): number {
  let count = 0
  forEachRow(postings, number, () => count++)
  return count
}

export function addRows(postings: Postings, numbers: readonly number[], found: RowSet): RowSet {
  for (const number of numbers) forEachRow(postings, number, (row) => found.add(row))
  return found
}

/** A number that came after a segment was made is in none of its slots. */
function endOf(starts: Int32Array, number: number): number {
  return starts[number + 1] ?? starts[number] ?? 0
}

function* makePostings(index: IndexRows): Slices<Made> {
  const { dictionaries, slotCount, slots } = index
  let base = bases.get(dictionaries)
  const recentMax = Math.max(RECENT_MAX_COUNT, RECENT_SHARE * (base?.end ?? 0))
  if (!base || slotCount - base.end > recentMax) {
    base = { ...(yield* makePair(index, 0)), end: slotCount }
    bases.set(dictionaries, base)
  }
  const recent = yield* makePair(index, base.end)
  const rowOf = new Int32Array(slotCount).fill(-1)
  for (let row = 0; row < index.count; row++) rowOf[slots[row] ?? 0] = row
  const own = {
    tokens: { segments: [base.tokens, recent.tokens], rowOf },
    terms: { segments: [base.terms, recent.terms], rowOf },
  }
  made.set(index, own)
  return own
}

function* makePair(index: IndexRows, first: number): Slices<Pair> {
  const { slotCount: end, tokens, tokenStarts, terms, termStarts, dictionaries } = index
  const slots = { first, end }
  return {
    tokens: yield* makeSegment(tokens, tokenStarts, { ...slots, count: dictionaries.tokens.words.length }),
    terms: yield* makeSegment(terms, termStarts, { ...slots, count: dictionaries.terms.words.length }),
  }
}

/** Counts the slots of each number, then puts each slot into its place. Each number of a slot counts once. */
function* makeSegment(
  numbers: Int32Array,
  listStarts: Int32Array,
  { first, end, count }: { first: number; end: number; count: number },
): Slices<Segment> {
  const starts = new Int32Array(count + 1)
  const lastSlot = new Int32Array(count).fill(-1)
  for (let slot = first; slot < end; slot++) {
    const listEnd = listStarts[slot + 1] ?? 0
    for (let at = listStarts[slot] ?? 0; at < listEnd; at++) {
      const number = numbers[at] ?? 0
      if (lastSlot[number] === slot) continue
      lastSlot[number] = slot
      starts[number + 1] = (starts[number + 1] ?? 0) + 1
    }
    if (slot % SLICE_COUNT === SLICE_COUNT - 1) yield
  }
  for (let number = 0; number < count; number++) {
    starts[number + 1] = (starts[number + 1] ?? 0) + (starts[number] ?? 0)
  }
  yield
  const next = starts.slice(0, count)
  const slots = new Int32Array(starts[count] ?? 0)
  lastSlot.fill(-1)
  for (let slot = first; slot < end; slot++) {
    const listEnd = listStarts[slot + 1] ?? 0
    for (let at = listStarts[slot] ?? 0; at < listEnd; at++) {
      const number = numbers[at] ?? 0
      if (lastSlot[number] === slot) continue
      lastSlot[number] = slot
      const place = next[number] ?? 0
      slots[place] = slot
      next[number] = place + 1
    }
    if (slot % SLICE_COUNT === SLICE_COUNT - 1) yield
  }
  return { starts, slots }
}
