import { setImmediate } from 'node:timers/promises'
import type { FeedBounds } from '#bff/time/time-range.ts'
import { parseKeyword } from '#matcher/keyword.ts'
import { countWithin, createRowTest, type RowRange, rowsWithin } from './filter-rows.ts'
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
/** The rows of the time that a keyword matches. */
type Holders = { profile: number; keyword: number; rows: RowSet }

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
  const within = rowsWithin(rows, bounds)
  const holders: Holders[] = []
  for (const [profile, criteria] of profiles.entries()) {
    if (profile > 0) await setImmediate()
    signal?.throwIfAborted()
    holders.push(...findHolders(rows, criteria, within).map((found) => ({ profile, ...found })))
  }
  const any = holders.reduce((all, holder) => all.unite(holder.rows), new RowSet(rows.count))

  let compared = 0
  for (let row = any.next(0); row >= 0; row = any.next(row + 1)) {
    if (compared > 0 && compared % SLICE_COUNT === 0) {
      await setImmediate()
      signal?.throwIfAborted()
    }
    compared++
    for (const { profile, keyword, rows: own } of holders) if (own.has(row)) onHit({ row, profile, keyword })
  }
  return countWithin(rows, bounds)
}

function findHolders(
  rows: IndexRows,
  { keywords, categories }: ProfileCriteria,
  { first, end }: RowRange,
): Omit<Holders, 'profile'>[] {
  const testRow = createRowTest(rows, { filter: { category: [...categories] } })
  const isMatch = (row: number) => row >= first && row < end && testRow(row) === 0
  return keywords.flatMap((text, keyword) => {
    const wanted = { text, keyword: parseKeyword(text), isPrefix: false, isEnd: false }
    return wanted.keyword ? { keyword, rows: findWords(rows, wanted, null).filter(isMatch) } : []
  })
}
