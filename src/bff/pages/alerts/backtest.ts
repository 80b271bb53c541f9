import type { ProfileMatches } from '#bff/pages/alerts/profiles/profile-matches.ts'
import { countPerDay } from '#bff/store/index/count-days.ts'
import { countWithin, type Selector } from '#bff/store/index/filter-rows.ts'
import { findLeaves } from '#bff/store/index/find-by-query.ts'
import type { IndexRows } from '#bff/store/index/index-rows.ts'
import { RowSet } from '#bff/store/index/row-set.ts'
import type { Selection } from '#bff/store/index/select-rows.ts'
import type { StoredRange } from '#bff/store/threat-store.ts'
import { countedPeriod, toTrendDay } from '#bff/time/counted-period.ts'
import type { Backtest, BacktestQuery, KeywordFlag, KeywordShare } from '#contract/bff/alert.ts'
import { DEFAULT_PERIOD } from '#contract/bff/period.ts'
import { describeKeyword, firstPositions, parseKeyword } from '#matcher/keyword.ts'
import { isSpaceless } from '#matcher/tokenise.ts'
import { forecastWeek } from './forecast.ts'

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

/** A keyword in a larger share of the stored threats than this says little. */
const COMMON_SHARE = 1 / 20
/** A share of fewer records has no meaning. */
const COMMON_LEAST_RECORDS = 40
const SHORT_MAX_LENGTH = 2

/** Describes each keyword for the author of a draft; keywords are the last words of the draft's search. */
function describeShares(
  keywords: readonly string[],
  { rows, selection, selector }: { rows: IndexRows; selection: Selection; selector: Selector },
  compared: number,
): KeywordShare[] {
  if (keywords.length === 0 || !selector.query) return []
  const positions = firstPositions(keywords)
  const matched = RowSet.of(rows.count, selection.matched)
  const sets = findLeaves(rows, selector.query, matched)
    .slice(-keywords.length)
    .map((leaf) => leaf.rows.intersect(matched))
  const any = new RowSet(rows.count)
  const several = new RowSet(rows.count)
  for (const [at, set] of sets.entries()) {
    // A keyword that means the same as one before it finds nothing of its own.
    if (positions[at] !== at) continue
    several.unite(new RowSet(rows.count).unite(any).intersect(set))
    any.unite(set)
  }
  const found = sets.map((set) => {
    const matches = set.size
    return { matches, alone: matches - set.intersect(several).size }
  })
  return keywords.map((text, at) => {
    const keyword = parseKeyword(text)
    const isDuplicate = positions[at] !== at
    const { matches, alone } = found[positions[at] ?? at] ?? { matches: 0, alone: 0 }
    const flags: Record<KeywordFlag, boolean> = {
      unreadable: !keyword,
      duplicate: isDuplicate,
      too_short: keyword !== null && isTooShort(keyword.tokens),
      common: compared >= COMMON_LEAST_RECORDS && matches > compared * COMMON_SHARE,
      no_match: keyword !== null && matches === 0,
      idle: !isDuplicate && matches > 0 && alone === 0,
    }
    return {
      keyword: text,
      understoodAs: keyword && describeKeyword(keyword),
      matches,
      alone: isDuplicate ? 0 : alone,
      flags: FLAGS.filter((flag) => flags[flag]),
    }
  })
}

const FLAGS = ['unreadable', 'duplicate', 'too_short', 'common', 'no_match', 'idle'] as const

/** A single character, or two letters: they stand in too much that is meant otherwise. */
function isTooShort(tokens: readonly string[]): boolean {
  const [only = '', ...others] = tokens
  return others.length === 0 && (isSpaceless(only) || Array.from(only).length <= SHORT_MAX_LENGTH)
}
