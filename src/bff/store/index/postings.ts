import { setImmediate } from 'node:timers/promises'
import type { IndexRows } from './index-rows.ts'

/** For each token or term the rows that have it (an inverted index): those of number n are from `starts[n]` on, before `starts[n + 1]`. */
export type Postings = { starts: Int32Array; rows: Int32Array }

/** What stands in each row: the numbers of row n are those from `starts[n]` on, before `starts[n + 1]`. */
type Lists = { numbers: Int32Array; starts: Int32Array; count: number; numberCount: number }

/** So many rows are looked at in one go; then the event loop has its turn. */
const SLICE_COUNT = 4_000

const byTokens = new WeakMap<IndexRows, Postings>()
const byTerms = new WeakMap<IndexRows, Postings>()

/** Rows by their tokens. What changes rows makes new ones, and then these anew. */
export function postingsOf(index: IndexRows): Postings {
  return byTokens.get(index) ?? keep(byTokens, index, makeAtOnce(tokensOf(index)))
}

/** Rows by their terms, likewise. */
export function termPostingsOf(index: IndexRows): Postings {
  return byTerms.get(index) ?? keep(byTerms, index, makeAtOnce(termsOf(index)))
}

/** Makes both, a slice at a time, so that the first search keeps nobody waiting. */
export async function preparePostings(index: IndexRows): Promise<void> {
  for (const [made, lists] of [[byTokens, tokensOf(index)] as const, [byTerms, termsOf(index)] as const]) {
    const steps = makePostings(lists)
    let step = steps.next()
    for (; !step.done; step = steps.next()) await setImmediate()
    keep(made, index, step.value)
  }
}

function tokensOf({ count, tokens: numbers, tokenStarts: starts, dictionaries }: IndexRows): Lists {
  return { count, numbers, starts, numberCount: dictionaries.tokens.words.length }
}

function termsOf({ count, terms: numbers, termStarts: starts, dictionaries }: IndexRows): Lists {
  return { count, numbers, starts, numberCount: dictionaries.terms.words.length }
}

function keep(made: WeakMap<IndexRows, Postings>, index: IndexRows, postings: Postings): Postings {
  made.set(index, postings)
  return postings
}

function makeAtOnce(lists: Lists): Postings {
  const steps = makePostings(lists)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** Counts the rows of each number, then puts each row into its place. Each number of a row counts once. */
function* makePostings({
  numbers,
  starts: listStarts,
  count,
  numberCount,
}: Lists): Generator<void, Postings> {
  const starts = new Int32Array(numberCount + 1)
  const lastRow = new Int32Array(numberCount).fill(-1)
  for (let row = 0; row < count; row++) {
    const end = listStarts[row + 1] ?? 0
    for (let at = listStarts[row] ?? 0; at < end; at++) {
      const number = numbers[at] ?? 0
      if (lastRow[number] === row) continue
      lastRow[number] = row
      starts[number + 1] = (starts[number + 1] ?? 0) + 1
    }
    if (row % SLICE_COUNT === SLICE_COUNT - 1) yield
  }
  for (let number = 0; number < numberCount; number++) {
    starts[number + 1] = (starts[number + 1] ?? 0) + (starts[number] ?? 0)
  }
  yield
  const next = starts.slice(0, numberCount)
  const rows = new Int32Array(starts[numberCount] ?? 0)
  lastRow.fill(-1)
  for (let row = 0; row < count; row++) {
    const end = listStarts[row + 1] ?? 0
    for (let at = listStarts[row] ?? 0; at < end; at++) {
      const number = numbers[at] ?? 0
      if (lastRow[number] === row) continue
      lastRow[number] = row
      const place = next[number] ?? 0
      rows[place] = row
      next[number] = place + 1
    }
    if (row % SLICE_COUNT === SLICE_COUNT - 1) yield
  }
  return { starts, rows }
}
