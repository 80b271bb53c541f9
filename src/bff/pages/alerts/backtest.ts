import { countPerDay } from '#bff/store/index/count-days.ts'
import { countWithin } from '#bff/store/index/filter-rows.ts'
import type { IndexRows } from '#bff/store/index/index-rows.ts'
import type { Selection, Selector } from '#bff/store/index/select-rows.ts'
import type { StoredRange } from '#bff/store/threat-store.ts'
import { countedPeriod, toTrendDay } from '#bff/time/counted-period.ts'
import type { Backtest, BacktestQuery } from '#contract/bff/alert.ts'
import { DEFAULT_PERIOD } from '#contract/bff/period.ts'
import { forecastWeek } from './forecast.ts'
import { describeShares } from './keyword-shares.ts'
import type { ProfileMatches } from './profiles/profile-window.ts'

/** More in a week is likely too many for whoever reads them. */
const NOISE_LIMIT_PER_WEEK = 50
const SAMPLES_COUNT = 10

type Counted = Pick<
  Backtest,
  'matches' | 'compared' | 'days' | 'keywords' | 'overlaps' | 'forecast' | 'noiseLimitPerWeek'
>

export type BacktestInput = {
  query: Pick<BacktestQuery, 'keywords' | 'timeZone'>
  /** What the draft matches of the last 30 days. */
  found: { rows: IndexRows; selection: Selection; selector: Selector }
  stored: Pick<StoredRange, 'time'>
  /** Each with what it matches of the same days. */
  profiles: readonly ProfileMatches[]
  nowMs: number
}

/** What a draft would have matched in the last 30 days: by day, by keyword, in weeks to come, and beside other profiles. */
export function runBacktest({ query, found, stored, profiles, nowMs }: BacktestInput): {
  counted: Counted
  sampleIds: string[]
} {
  const { rows, selection, selector } = found
  const { days, bounds } = countedPeriod(DEFAULT_PERIOD, { timeZone: query.timeZone, nowMs, stored })
  const matched = Array.from(selection.matched)
  const counts = countPerDay(rows, matched, [...days.map(({ start }) => start), bounds.end])
  const trendDays = days.map((day, at) => toTrendDay(day, counts[at]))
  const ids = matched.map((row) => rows.ids[row] ?? '')
  const compared = countWithin(rows, selector.bounds)
  return {
    counted: {
      matches: matched.length,
      compared,
      days: trendDays,
      keywords: describeShares(query.keywords ?? [], found, compared),
      overlaps: countOverlaps(profiles, new Set(ids)),
      forecast: forecastWeek(trendDays),
      noiseLimitPerWeek: NOISE_LIMIT_PER_WEEK,
    },
    sampleIds: ids.slice(0, SAMPLES_COUNT),
  }
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
