import { countPerDay } from '#bff/store/index/count-days.ts'
import type { IndexRows } from '#bff/store/index/index-rows.ts'
import { matchProfiles, type ProfileCriteria } from '#bff/store/index/match-profiles.ts'
import { countedPeriod, toTrendDay } from '#bff/time/counted-period.ts'
import type { FeedBounds } from '#bff/time/time-range.ts'
import type { Backtest, BacktestQuery } from '#contract/bff/alert.ts'
import { DEFAULT_PERIOD } from '#contract/bff/period.ts'
import { forecastWeek } from './forecast.ts'
import { describeShares, type Found, firstPositions } from './keyword-shares.ts'
import type { Compared, MatchedRecords } from './profile-matches.ts'
import type { Preview } from './read-preview.ts'

/** Two a working hour: nobody reads more of one profile. */
const NOISE_LIMIT_PER_WEEK = 80
const SAMPLES_COUNT = 10

export type ListedProfile = ProfileCriteria & { id: string; name: string }

type OnHit = (row: number, keyword: number) => void

/** A search for a draft's words: names each record with each keyword that it holds, and tells how many were compared. */
export type DraftSearch = Compared & { isFullText: boolean; run(onHit: OnHit): Promise<number> }

type Counted = Pick<
  Backtest,
  'matches' | 'compared' | 'isFullText' | 'days' | 'keywords' | 'overlaps' | 'forecast' | 'noiseLimitPerWeek'
>

type BacktestInput = {
  query: BacktestQuery
  search: DraftSearch
  /** Each with what it matches of the same days. */
  profiles: readonly (ListedProfile & { matched: MatchedRecords })[]
  nowMs: number
}

/** What a draft would have matched in the last 30 days, and the ids of the newest records among them. */
export async function runBacktest({
  query,
  search,
  profiles,
  nowMs,
}: BacktestInput): Promise<{ counted: Counted; sampleIds: string[] }> {
  const { records, stored, isFullText } = search
  const { days, bounds } = countedPeriod(DEFAULT_PERIOD, { timeZone: query.timeZone, nowMs, stored })
  const { matchedRows, found, compared } = await countDraft(query.keywords, search)
  const counts = countPerDay(records, matchedRows, [...days.map(({ start }) => start), bounds.end])
  const trendDays = days.map((day, at) => toTrendDay(day, counts[at]))
  const ids = matchedRows.map((row) => records.ids[row] ?? '')
  return {
    counted: {
      matches: matchedRows.length,
      compared,
      isFullText,
      days: trendDays,
      keywords: describeShares(query.keywords, found, compared),
      overlaps: countOverlaps(profiles, new Set(ids)),
      forecast: forecastWeek(trendDays),
      noiseLimitPerWeek: NOISE_LIMIT_PER_WEEK,
    },
    sampleIds: ids.slice(0, SAMPLES_COUNT),
  }
}

/** Compares the window's records, which have what lists say. */
export function searchWindow(
  compared: Compared & { records: IndexRows },
  { keywords, categories }: ProfileCriteria,
  { bounds, signal }: { bounds: FeedBounds; signal?: AbortSignal | undefined },
): DraftSearch {
  return {
    ...compared,
    isFullText: false,
    run(onHit) {
      const options = { profiles: [{ keywords, categories }], bounds, signal }
      return matchProfiles(compared.records, options, ({ row, keyword }) => onHit(row, keyword))
    },
  }
}

/** Takes what our own service has found in full texts. */
export function searchPreview({ ids, at, stored, compared, keywords }: Preview): DraftSearch {
  return {
    ...{ records: { ids, at }, stored, keywords, isFullText: true },
    async run(onHit) {
      for (const [row, id] of ids.entries()) for (const found of keywords.get(id) ?? []) onHit(row, found)
      return compared
    },
  }
}

async function countDraft(keywords: readonly string[], search: DraftSearch) {
  const positions = firstPositions(keywords)
  const found: Found[] = keywords.map(() => ({ matches: 0, alone: 0 }))
  const matchedRows: number[] = []
  let first = -1
  const compared = await search.run((row, at) => {
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
