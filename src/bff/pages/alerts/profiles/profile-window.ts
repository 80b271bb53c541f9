import { ProblemError } from '#bff/http/problem-error.ts'
import type { StoredProfile } from '#bff/notify/profile-queries.ts'
import type { IndexRows } from '#bff/store/index/index-rows.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { calendarOf } from '#bff/time/periods.ts'
import { type FeedBounds, feedBounds, intersect } from '#bff/time/time-range.ts'
import type { AlertProfile } from '#contract/bff/alert.ts'
import { DEFAULT_PERIOD } from '#contract/bff/period.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'

export type WindowDependencies = { store: Pick<ThreatStore, 'select' | 'storedRange'>; clock: Clock }

/** The last 30 days of a zone. */
export function lastDays(timeZone: string, nowMs: number): FeedBounds {
  const { start, end } = calendarOf(DEFAULT_PERIOD, timeZone, nowMs)
  return { start, end }
}

/** What a search matches of a time; its own days are of its own zone. */
export function selectWithin(
  filter: ThreatFilter & { timeZone: string },
  bounds: FeedBounds,
  { store, clock }: WindowDependencies,
) {
  return store.select(filter, intersect(feedBounds(filter, clock.nowMs()), bounds))
}

/** The same of a stored profile; null where its search cannot be evaluated. */
export async function selectProfile(
  { filter, timeZone }: Pick<StoredProfile, 'filter' | 'timeZone'>,
  bounds: FeedBounds,
  dependencies: WindowDependencies,
) {
  try {
    return await selectWithin({ ...filter, timeZone }, bounds, dependencies)
  } catch (error) {
    if (error instanceof ProblemError) return null
    throw error
  }
}

/** How many rows match, and when the newest was published. */
export function countWindow(records: IndexRows, rows: ArrayLike<number>): AlertProfile['window'] {
  const latest = records.at[rows[0] ?? -1]
  return { matches: rows.length, latestAt: latest === undefined ? null : new Date(latest).toISOString() }
}
