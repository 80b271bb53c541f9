import type { IndexRows } from '#bff/store/index/index-rows.ts'
import { matchProfiles, type ProfileCriteria } from '#bff/store/index/match-profiles.ts'
import type { StoredRange, ThreatStore } from '#bff/store/threat-store.ts'
import type { FeedBounds } from '#bff/time/time-range.ts'

/** What one profile matches: positions of records, newest first. */
export type MatchedRecords = { records: IndexRows; stored: StoredRange; rows: readonly number[] }

/** For each profile what it matches; null while nothing is stored. */
export type FindMatches = (
  profiles: readonly ProfileCriteria[],
  bounds: FeedBounds,
) => Promise<MatchedRecords[] | null>

/** Readers' zones, and moments before and after midnight. */
const KNOWN_MAX_COUNT = 8

type MatchedRows = readonly (readonly number[])[]

/** Finds what profiles match, and remembers it while neither they nor the stored threats change. */
export function createFindMatches(store: Pick<ThreatStore, 'storedRange' | 'indexRows'>): FindMatches {
  let known: { rows: IndexRows; key: string; found: Promise<MatchedRows> }[] = []

  return async (profiles, bounds) => {
    const [stored, records] = await Promise.all([store.storedRange(), store.indexRows()])
    if (!stored) return null
    const criteria = profiles.map(({ keywords, categories }) => ({ keywords, categories }))
    const key = JSON.stringify([bounds, criteria])
    const ofRows = known.filter((one) => one.rows === records)
    const found = ofRows.find((one) => one.key === key)?.found ?? findRows(records, criteria, bounds)
    const others = ofRows.filter((one) => one.found !== found)
    known = [{ rows: records, key, found }, ...others].slice(0, KNOWN_MAX_COUNT)
    return (await found).map((rows) => ({ records, stored, rows }))
  }
}

async function findRows(
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
