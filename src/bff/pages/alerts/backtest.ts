import { countPerDay } from '#bff/store/index/count-days.ts'
import type { IndexRows } from '#bff/store/index/index-rows.ts'
import { matchProfiles, type ProfileCriteria } from '#bff/store/index/match-profiles.ts'
import type { StoredRange } from '#bff/store/threat-store.ts'
import { countedPeriod, toTrendDay } from '#bff/time/counted-period.ts'
import type { FeedBounds } from '#bff/time/time-range.ts'
import type { Backtest, BacktestQuery } from '#contract/bff/alert.ts'
import { DEFAULT_PERIOD } from '#contract/bff/period.ts'
import { forecastWeek } from './forecast.ts'
import { describeShares, type Found, firstPositions } from './keyword-shares.ts'
import type { ProfileMatches } from './profiles/own-profiles.ts'

/** Two a working hour: nobody reads more of one profile. */
const NOISE_LIMIT_PER_WEEK = 80
const SAMPLES_COUNT = 10

export type ListedProfile = ProfileCriteria & { id: string; name: string }

/** Where a draft is looked for. `isFullText`: whether the full texts of records are stored with them. */
export type DraftSearch = {
  records: IndexRows
  stored: Pick<StoredRange, 'time' | 'freshness'>
  isFullText: boolean
  bounds: FeedBounds
  signal?: AbortSignal | undefined
}

type Counted = Pick<
  Backtest,
  'matches' | 'compared' | 'isFullText' | 'days' | 'keywords' | 'overlaps' | 'forecast' | 'noiseLimitPerWeek'
>

/** Rows that a draft matches, newest first, and how many were compared. */
type DraftMatches = { matchedRows: ArrayLike<number>; compared: number }

export type BacktestInput = {
  query: BacktestQuery
  search: DraftSearch
  /** Each with what it matches of the same days. */
  profiles: readonly ProfileMatches[]
  nowMs: number
}

/** What a draft would have matched in the last 30 days, and the ids of the newest records among them. */
export async function runBacktest({
  query,
  search,
  profiles,
  nowMs,
}: BacktestInput): Promise<{ counted: Counted; sampleIds: string[] }> {
  const { found, ...matches } = await countDraft(query, search)
  const { counted, sampleIds } = describeMatches(matches, { query, search, profiles, nowMs })
  return {
    counted: { ...counted, keywords: describeShares(query.keywords, found, counted.compared) },
    sampleIds,
  }
}

/** What matches of keywords, or of a search, mean: by day, in weeks to come, and beside other profiles. */
export function describeMatches(
  { matchedRows, compared }: DraftMatches,
  { query, search, profiles, nowMs }: Omit<BacktestInput, 'query'> & { query: { timeZone: string } },
): { counted: Counted; sampleIds: string[] } {
  const { records, stored, isFullText } = search
  const { days, bounds } = countedPeriod(DEFAULT_PERIOD, { timeZone: query.timeZone, nowMs, stored })
  const rows = Array.from(matchedRows)
  const counts = countPerDay(records, rows, [...days.map(({ start }) => start), bounds.end])
  const trendDays = days.map((day, at) => toTrendDay(day, counts[at]))
  const ids = rows.map((row) => records.ids[row] ?? '')
  return {
    counted: {
      matches: rows.length,
      compared,
      isFullText,
      days: trendDays,
      keywords: [],
      overlaps: countOverlaps(profiles, new Set(ids)),
      forecast: forecastWeek(trendDays),
      noiseLimitPerWeek: NOISE_LIMIT_PER_WEEK,
    },
    sampleIds: ids.slice(0, SAMPLES_COUNT),
  }
}

async function countDraft({ keywords, categories }: BacktestQuery, search: DraftSearch) {
  const { records, bounds, signal } = search
  const positions = firstPositions(keywords)
  const found: Found[] = keywords.map(() => ({ matches: 0, alone: 0 }))
  const matchedRows: number[] = []
  let first = -1
  const options = { profiles: [{ keywords, categories }], bounds, signal }
  const compared = await matchProfiles(records, options, ({ row, keyword: at }) => {
    // A keyword that means the same as one before it finds nothing of its own.
    if (positions[at] !== at) return
    const isFirst = matchedRows.at(-1) !== row
    if (isFirst) matchedRows.push(row)
    const own = found[at]
    const other = found[first]
    if (own) own.matches++
    if (isFirst && own) own.alone++
    else if (first >= 0 && other) other.alone--
    first = isFirst ? at : -1
  })
  return { compared, matchedRows, found }
}

function countOverlaps(
  profiles: BacktestInput['profiles'],
  draftIds: ReadonlySet<string>,
): Backtest['overlaps'] {
  return profiles
    .map(({ id: profileId, name, matched: { records, rows } }) => {
      const shared = rows.filter((row) => draftIds.has(records.ids[row] ?? '')).length
      return { profileId, name, shared, matches: rows.length }
    })
    .filter(({ shared }) => shared > 0)
    .sort((one, other) => other.shared - one.shared)
}
