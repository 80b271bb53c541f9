import type { FeedBounds } from '#bff/time/time-range.ts'
import type { IndexRows } from '#bff/window/index/index-rows.ts'
import { matchProfiles, type ProfileCriteria } from '#bff/window/index/match-profiles.ts'

/** For each profile the rows that it matches, newest first. */
export type MatchedRows = readonly (readonly number[])[]

export type FindMatches = (
  rows: IndexRows,
  profiles: readonly ProfileCriteria[],
  bounds: FeedBounds,
) => Promise<MatchedRows>

/** Readers' zones, and moments before and after midnight. */
const KNOWN_MAX_COUNT = 8

/** Finds what profiles match, and remembers it while neither they nor the window change: a draft is typed letter by letter. */
export function createFindMatches(): FindMatches {
  let known: { rows: IndexRows; key: string; found: Promise<MatchedRows> }[] = []
  return (rows, profiles, bounds) => {
    const criteria = profiles.map(({ keywords, categories }) => ({ keywords, categories }))
    const key = JSON.stringify([bounds, criteria])
    const ofRows = known.filter((one) => one.rows === rows)
    const found = ofRows.find((one) => one.key === key)?.found ?? findMatches(rows, criteria, bounds)
    const others = ofRows.filter((one) => one.found !== found)
    known = [{ rows, key, found }, ...others].slice(0, KNOWN_MAX_COUNT)
    return found
  }
}

async function findMatches(
  rows: IndexRows,
  profiles: readonly ProfileCriteria[],
  bounds: FeedBounds,
): Promise<MatchedRows> {
  const matched: number[][] = profiles.map(() => [])
  await matchProfiles(rows, { profiles, bounds }, ({ row, profile }) => {
    const matchedRows = matched[profile]
    if (matchedRows && matchedRows.at(-1) !== row) matchedRows.push(row)
  })
  return matched
}
