import { countPerDay } from '#bff/store/index/count-days.ts'
import { countWithin, type Selector } from '#bff/store/index/filter-rows.ts'
import type { IndexRows } from '#bff/store/index/index-rows.ts'
import { RowSet } from '#bff/store/index/row-set.ts'
import type { Selection } from '#bff/store/index/select-rows.ts'
import type { StoredRange } from '#bff/store/threat-store.ts'
import { countedPeriod, toTrendDay } from '#bff/time/counted-period.ts'
import type { Backtest, BacktestQuery } from '#contract/bff/alert.ts'
import { DEFAULT_PERIOD } from '#contract/bff/period.ts'
import { forecastWeek } from './forecast.ts'
import { describeShares } from './keyword-shares.ts'
import type { ProfileMatches } from './profiles/profile-matches.ts'

/** More in a week is likely too many for whoever reads them. */
const NOISE_LIMIT_PER_WEEK = 50
const SAMPLES_COUNT = 10

type Counted = Pick<
  Backtest,
  'matches' | 'compared' | 'days' | 'keywords' | 'overlaps' | 'forecast' | 'noiseLimitPerWeek'
>

export type BacktestInput = {
  query: BacktestQuery
  /** The draft's matches of the last 30 days. */
  found: { rows: IndexRows; selection: Selection; selector: Selector }
  stored: StoredRange
  /** Each with what it matches of the same days. */
  profiles: readonly ProfileMatches[]
  nowMs: number
}

/**
 * Returns what a draft would have matched in the last 30 days: by day, by keyword, expected per week, and compared with
 * other profiles.
 */
export function runBacktest({ query, found, stored, profiles, nowMs }: BacktestInput): {
  counted: Counted
  sampleIds: string[]
} {
  const { rows, selection, selector } = found
  const { days, bounds } = countedPeriod(DEFAULT_PERIOD, { timeZone: query.timeZone, nowMs, stored })
  const { matched } = selection
  const counts = countPerDay(rows, matched, [...days.map(({ start }) => start), bounds.end])
  const trendDays = days.map((day, at) => toTrendDay(day, { count: counts[at] }))
  const compared = countWithin(rows, selector.bounds)
  return {
    counted: {
      matches: matched.length,
      compared,
      days: trendDays,
      keywords: describeShares(query.keywords ?? [], found, compared),
      overlaps: countOverlaps(profiles, { records: rows, matched }),
      forecast: forecastWeek(trendDays),
      noiseLimitPerWeek: NOISE_LIMIT_PER_WEEK,
    },
    sampleIds: Array.from(matched.subarray(0, SAMPLES_COUNT), (row) => rows.ids[row] ?? ''),
  }
}

function countOverlaps(
  profiles: BacktestInput['profiles'],
  { records, matched }: { records: IndexRows; matched: Int32Array },
): Backtest['overlaps'] {
  const own = RowSet.of(records.count, matched)
  // A profile's rows may be of a moment when others were stored.
  let ids: Set<string | undefined> | null = null
  function isShared(other: IndexRows, row: number): boolean {
    if (other === records) return own.has(row)
    ids ??= new Set(Array.from(matched, (each) => records.ids[each]))
    return ids.has(other.ids[row])
  }
  return profiles
    .map(({ id: profileId, name, matched: { records: other, rows } }) => {
      const shared = rows.filter((row) => isShared(other, row)).length
      return { profileId, name, shared, matches: rows.length }
    })
    .filter(({ shared }) => shared > 0)
    .sort((one, other) => other.shared - one.shared)
}
