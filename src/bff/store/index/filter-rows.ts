import { DATED_FROM_MS, type FeedBounds } from '#bff/time/time-range.ts'
import { FACET_NAMES } from '#contract/bff/threat-list.ts'
import type { QueryNode } from '#matcher/query/query-tree.ts'
import { bisect } from './bisect.ts'
import { findByQuery, type RowContext } from './find-by-query.ts'
import type { Dictionaries, IndexRows } from './index-rows.ts'
import { RowSet } from './row-set.ts'
import { type ValueFilter, wantedTerms } from './threat-terms.ts'

/** A query of the language, with what it means here and now. */
export type RowQuery = {
  tree: QueryNode
  context: RowContext
}

/** A row matches if it has any value of each name and matches the whole query. */
export type RowFilter = {
  filter: ValueFilter
  query?: RowQuery | null | undefined
  /** Makes a test of rows by what the team did with them. */
  accepts?: ((index: IndexRows) => (row: number) => boolean) | undefined
}

/** A filter within a time. */
export type Selector = RowFilter & { bounds: FeedBounds }

/**
 * The bit of the one name that alone keeps a row from matching: with one of that name's values it would. 0 where it
 * matches, `FAILS` where more than that is missing.
 */
export type RowTest = (row: number) => number

export const FAILS = -1

/** Returns true if each row of the time matches. */
export function isUnfiltered({ filter, query, accepts }: RowFilter): boolean {
  return !query && !accepts && wantedTerms(filter).size === 0
}

/** Counts the rows of a time. */
export function countWithin(rows: IndexRows, bounds: FeedBounds): number {
  const { first, end } = rowsWithin(rows, bounds)
  return Math.max(0, end - first)
}

/** The only filter of rows: whatever lists, counts, exports or matches threats uses it. Holds for rows of the time alone. */
export function createRowTest(rows: IndexRows, { filter, query, accepts, bounds }: Selector): RowTest {
  const { wanted, wantedBits } = wantedNames(rows.dictionaries, filter)
  const { terms, termStarts, slots } = rows
  const within = rowSetWithin(rows, bounds)
  const found = query ? findByQuery(rows, query.tree, query.context, within) : null
  const isAccepted = accepts?.(rows)

  return (row) => {
    if (found?.has(row) === false) return FAILS
    let own = 0
    const slot = slots[row] ?? 0
    const end = termStarts[slot + 1] ?? 0
    for (let at = termStarts[slot] ?? 0; at < end; at++) own |= wantedBits[terms[at] ?? 0] ?? 0
    const missing = wanted & ~own
    if ((missing & (missing - 1)) !== 0) return FAILS
    return isAccepted?.(row) === false ? FAILS : missing
  }
}

/** Rows that follow each other: from `first` on, before `end`. */
export type RowRange = { first: number; end: number }

/** Rows without a date come last, and are within no bounds but their own. */
export function rowsWithin(rows: IndexRows, { start, end }: FeedBounds): RowRange {
  const firstBefore = (moment: number) => bisect(rows.count, (row) => (rows.at[row] ?? 0) < moment)
  const areUndatedIn = start === null && (end === null || end <= DATED_FROM_MS)
  return {
    first: end === null ? 0 : firstBefore(end),
    end: areUndatedIn ? rows.count : firstBefore(Math.max(start ?? DATED_FROM_MS, DATED_FROM_MS)),
  }
}

export function rowSetWithin(rows: IndexRows, bounds: FeedBounds): RowSet {
  const { first, end } = rowsWithin(rows, bounds)
  const within = new RowSet(rows.count)
  within.addRange(first, end)
  return within
}

/** The bits of the names in use, and for each term of the filter its name's bit. */
function wantedNames(
  { terms: encoded }: Dictionaries,
  filter: RowFilter['filter'],
): { wanted: number; wantedBits: Uint8Array } {
  const wantedBits = new Uint8Array(encoded.words.length)
  let wanted = 0
  for (const [name, terms] of wantedTerms(filter)) {
    const bit = 1 << FACET_NAMES.indexOf(name)
    wanted |= bit
    for (const term of terms) {
      const number = encoded.get(term)
      if (number !== undefined) wantedBits[number] = bit
    }
  }
  return { wanted, wantedBits }
}
