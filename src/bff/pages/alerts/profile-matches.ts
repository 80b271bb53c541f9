import type { IndexRows } from '#bff/store/index/index-rows.ts'
import { matchProfiles, type ProfileCriteria } from '#bff/store/index/match-profiles.ts'
import type { StoredRange, ThreatStore } from '#bff/store/threat-store.ts'
import type { FeedBounds } from '#bff/time/time-range.ts'
import type { ReadRequest } from '#bff/vendor/cache/read-request.ts'
import type { Preview, ReadPreview } from './read-preview.ts'

/** Where records were looked for: in the window, which has what lists say, or by our own service in full texts. */
export type Compared = {
  /** Records, newest first, those that match among them. */
  records: { ids: readonly string[]; at: ArrayLike<number> }
  stored: Pick<StoredRange, 'time' | 'freshness'>
  /** Positions of the keywords that a record holds, by its id; none where its stored text tells. */
  keywords?: Preview['keywords']
}

/** What one profile matches: positions of records, newest first. */
export type MatchedRecords = Compared & { rows: readonly number[] }

/** For each profile what it matches; null while nothing is stored. */
export type FindMatches = (
  profiles: readonly ProfileCriteria[],
  bounds: FeedBounds,
  request: ReadRequest,
) => Promise<MatchedRecords[] | null>

/** Readers' zones, and moments before and after midnight. */
const KNOWN_MAX_COUNT = 8

/** Finds what profiles match, and remembers it while neither they nor the window change. */
export function createFindMatches(
  store: Pick<ThreatStore, 'storedRange' | 'indexRows'>,
  readPreview: ReadPreview,
): FindMatches {
  const findInWindow = createFindInWindow()

  /** All by full texts or none: their numbers stand side by side. */
  async function preview(...[profiles, bounds, request]: Parameters<FindMatches>) {
    const previewed: MatchedRecords[] = []
    for (const profile of profiles) {
      const found = await readPreview(profile, bounds, request)
      if (!found) return null
      const { ids, at, stored, keywords } = found
      previewed.push({ records: { ids, at }, stored, keywords, rows: ids.map((_, row) => row) })
    }
    return previewed
  }

  return async (profiles, bounds, request) => {
    const previewed = await preview(profiles, bounds, request)
    if (previewed) return previewed
    const [stored, records] = await Promise.all([store.storedRange(), store.indexRows()])
    if (!stored) return null
    const matched = await findInWindow(records, profiles, bounds)
    return matched.map((rows) => ({ records, stored, rows }))
  }
}

type MatchedRows = readonly (readonly number[])[]

function createFindInWindow() {
  let known: { rows: IndexRows; key: string; found: Promise<MatchedRows> }[] = []
  return (rows: IndexRows, profiles: readonly ProfileCriteria[], bounds: FeedBounds) => {
    const criteria = profiles.map(({ keywords, categories }) => ({ keywords, categories }))
    const key = JSON.stringify([bounds, criteria])
    const ofRows = known.filter((one) => one.rows === rows)
    const found = ofRows.find((one) => one.key === key)?.found ?? findRows(rows, criteria, bounds)
    const others = ofRows.filter((one) => one.found !== found)
    known = [{ rows, key, found }, ...others].slice(0, KNOWN_MAX_COUNT)
    return found
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
