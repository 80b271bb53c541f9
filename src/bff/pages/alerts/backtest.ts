import type { FeedBounds } from '#bff/time/time-range.ts'
import { coverageOf, type Day } from '#bff/time/trend-days.ts'
import { countDays } from '#bff/window/index/count-days.ts'
import type { IndexRows } from '#bff/window/index/index-rows.ts'
import { matchProfiles, type ProfileCriteria } from '#bff/window/index/match-profiles.ts'
import type { Backtest, BacktestQuery } from '#contract/bff/alert.ts'
import type { TrendDay } from '#contract/bff/trend.ts'
import { forecastWeek } from './forecast.ts'
import { describeShares, type Found, firstPositions } from './keyword-shares.ts'
import { lastMonth } from './last-month.ts'
import type { FindMatches } from './profile-matches.ts'

/** Two a working hour: nobody reads more of one profile. */
const NOISE_LIMIT_PER_WEEK = 80
const SAMPLES_COUNT = 10

export type ListedProfile = ProfileCriteria & { id: string; name: string }

export type BacktestInput = {
  query: BacktestQuery
  rows: IndexRows
  /** The stored range, epoch milliseconds. */
  stored: { from: number; to: number }
  profiles: readonly ListedProfile[]
  findMatches: FindMatches
  nowMs: number
  signal?: AbortSignal
}

type Counted = Pick<
  Backtest,
  'matches' | 'compared' | 'days' | 'keywords' | 'overlaps' | 'forecast' | 'noiseLimitPerWeek'
>

/** What a draft would have matched in the last 30 days, and the ids of the newest records among them. */
export async function runBacktest(input: BacktestInput): Promise<{ counted: Counted; sampleIds: string[] }> {
  const { query, rows, stored, nowMs } = input
  const { days, bounds } = lastMonth(query.timeZone, nowMs)
  const draft = await countDraft(input, bounds)
  const trendDays = toTrendDays(days, draft.matchedRows, {
    rows,
    stored: { ...stored, to: Math.min(stored.to, nowMs) },
  })
  return {
    counted: {
      matches: draft.matchedRows.length,
      compared: draft.compared,
      days: trendDays,
      keywords: describeShares(query.keywords, draft.found, draft.compared),
      overlaps: await countOverlaps(input, { bounds, matchedRows: draft.matchedRows }),
      forecast: forecastWeek(trendDays),
      noiseLimitPerWeek: NOISE_LIMIT_PER_WEEK,
    },
    sampleIds: draft.matchedRows.slice(0, SAMPLES_COUNT).map((row) => rows.ids[row] ?? ''),
  }
}

async function countDraft(
  { rows, query: { keywords, categories }, signal }: BacktestInput,
  bounds: FeedBounds,
): Promise<{ matchedRows: number[]; compared: number; found: Found[] }> {
  const positions = firstPositions(keywords)
  const found = keywords.map(() => ({ matches: 0, alone: 0 }))
  const matchedRows: number[] = []
  let first = -1
  // A keyword that means the same as one before it finds nothing of its own.
  const distinct = keywords.map((keyword, at) => (positions[at] === at ? keyword : ''))
  const profiles = [{ keywords: distinct, categories }]
  const compared = await matchProfiles(rows, { profiles, bounds, signal }, ({ row, keyword }) => {
    const isFirst = matchedRows.at(-1) !== row
    if (isFirst) matchedRows.push(row)
    const own = found[keyword]
    const other = found[first]
    if (own) own.matches++
    if (isFirst && own) own.alone++
    else if (first >= 0 && other) other.alone--
    first = isFirst ? keyword : -1
  })
  return { matchedRows, compared, found }
}

function toTrendDays(
  days: readonly Day[],
  matchedRows: readonly number[],
  { rows, stored }: Pick<BacktestInput, 'rows' | 'stored'>,
): TrendDay[] {
  const starts = [...days.map(({ start }) => start), days.at(-1)?.end ?? 0]
  const { counts } = countDays(rows, matchedRows, { starts, by: undefined, seriesFrom: 0, seriesMaxCount: 0 })
  return days.map((day, at) => {
    const coverage = coverageOf(day, stored)
    return {
      date: day.date,
      from: new Date(day.start).toISOString(),
      to: new Date(day.end).toISOString(),
      coverage,
      count: coverage === 'unknown' ? null : (counts[at] ?? 0),
    }
  })
}

async function countOverlaps(
  { rows, profiles, findMatches }: BacktestInput,
  { bounds, matchedRows }: { bounds: FeedBounds; matchedRows: readonly number[] },
): Promise<Backtest['overlaps']> {
  const isDrafts = new Uint8Array(rows.count)
  for (const row of matchedRows) isDrafts[row] = 1
  const matched = await findMatches(rows, profiles, bounds)
  return profiles
    .map(({ id: profileId, name }, at) => {
      const own = matched[at] ?? []
      const shared = own.reduce((sum, row) => sum + (isDrafts[row] ?? 0), 0)
      return { profileId, name, shared, matches: own.length }
    })
    .filter(({ shared }) => shared > 0)
    .sort((one, other) => other.shared - one.shared)
}
