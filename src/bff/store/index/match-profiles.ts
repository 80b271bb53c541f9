import { setImmediate } from 'node:timers/promises'
import type { FeedBounds } from '#bff/time/time-range.ts'
import { parseKeyword } from '#matcher/keyword.ts'
import { createRowTest, type RowTest, rowsWithin } from './filter-rows.ts'
import { findWords } from './find-words.ts'
import type { IndexRows } from './index-rows.ts'
import { RowSet } from './row-set.ts'

/** What an alert profile, or the draft of one, looks for: any of its keywords, in one of its categories if it names any. */
export type ProfileCriteria = { keywords: readonly string[]; categories: readonly string[] }

/** A row that a profile matches by a keyword, each pair once a row. `profile` and `keyword` are positions in their lists. */
export type Hit = { row: number; profile: number; keyword: number }

type MatchOptions = {
  profiles: readonly ProfileCriteria[]
  bounds: FeedBounds
  signal?: AbortSignal | undefined
}
/** The rows that hold a keyword, of whatever category. */
type Holders = { profile: number; keyword: number; rows: RowSet; testRow: RowTest }

/** So many rows are compared in one go; then the event loop has its turn. */
const SLICE_COUNT = 10_000

/**
 * Finds the rows of a time that profiles match, newest first, and of a row by profile and keyword. Returns how many rows the
 * time has; throws when `signal` is aborted.
 */
export async function matchProfiles(
  rows: IndexRows,
  { profiles, bounds, signal }: MatchOptions,
  onHit: (hit: Readonly<Hit>) => void,
): Promise<number> {
  const holders: Holders[] = []
  for (const [profile, criteria] of profiles.entries()) {
    if (profile > 0) await setImmediate()
    signal?.throwIfAborted()
    holders.push(...findHolders(rows, criteria).map((found) => ({ profile, ...found })))
  }
  const any = holders.reduce((all, holder) => all.unite(holder.rows), new RowSet(rows.count))

  const { first, end } = rowsWithin(rows, bounds)
  for (let row = first; row < end; row++) {
    if (row > first && (row - first) % SLICE_COUNT === 0) {
      await setImmediate()
      signal?.throwIfAborted()
    }
    if (!any.has(row)) continue
    for (const { profile, keyword, rows: own, testRow } of holders)
      if (own.has(row) && testRow(row) === 0) onHit({ row, profile, keyword })
  }
  return Math.max(0, end - first)
}

function findHolders(rows: IndexRows, { keywords, categories }: ProfileCriteria): Omit<Holders, 'profile'>[] {
  const testRow = createRowTest(rows, { filter: { category: [...categories] } })
  return keywords.flatMap((text, keyword) => {
    const wanted = { text, keyword: parseKeyword(text), isPrefix: false, isEnd: false }
    return wanted.keyword ? { keyword, rows: findWords(rows, wanted, null), testRow } : []
  })
}
