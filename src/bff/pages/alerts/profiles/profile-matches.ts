import { setImmediate } from 'node:timers/promises'
import { ProblemError } from '#bff/http/problem-error.ts'
import type { IndexRows } from '#bff/store/index/index-rows.ts'
import type { StoreFilter } from '#bff/store/read-filter.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { calendarOf } from '#bff/time/periods.ts'
import { type FeedBounds, feedBounds, intersect } from '#bff/time/time-range.ts'
import type { AlertProfile } from '#contract/bff/alert.ts'
import { DEFAULT_PERIOD } from '#contract/bff/period.ts'

export type SyncDependencies = { store: ThreatStore; clock: Clock }

/** A profile's search, with the time zone of its days. */
export type ProfileSearch = StoreFilter & { timeZone: string }

/** Keywords and categories as a search. */
export function searchOf(
  { keywords, categories }: { keywords: readonly string[]; categories: readonly string[] },
  timeZone: string,
): ProfileSearch {
  return { keywords, category: [...categories], timeZone }
}

/** The last 30 days of a zone. */
export function lastDays(timeZone: string, nowMs: number): FeedBounds {
  const { start, end } = calendarOf(DEFAULT_PERIOD, timeZone, nowMs)
  return { start, end }
}

/** Selects the matches of a search within a time. The search's days are in its own zone. */
export function selectWithin(search: ProfileSearch, bounds: FeedBounds, { store, clock }: SyncDependencies) {
  return store.select(search, intersect(feedBounds(search, clock.nowMs()), bounds))
}

/** Does the same for a profile; null if its search cannot be evaluated. */
export async function selectProfile(
  search: ProfileSearch,
  bounds: FeedBounds,
  dependencies: SyncDependencies,
) {
  try {
    return await selectWithin(search, bounds, dependencies)
  } catch (error) {
    if (error instanceof ProblemError) return null
    throw error
  }
}

/** A profile's matches: positions of records, newest first. */
export type ProfileMatches = {
  id: string
  name: string
  matched: { records: IndexRows; rows: Int32Array }
}

/** Finds the matches of profiles within a time, wherever they run, except those that cannot be evaluated. */
export async function findProfileMatches(
  profiles: readonly { id: string; name: string; search: ProfileSearch }[],
  bounds: FeedBounds,
  dependencies: SyncDependencies,
): Promise<ProfileMatches[]> {
  const found: ProfileMatches[] = []
  for (const { id, name, search } of profiles) {
    await setImmediate()
    const matched = await selectProfile(search, bounds, dependencies)
    if (matched) found.push({ id, name, matched: { records: matched.rows, rows: matched.selection.matched } })
  }
  return found
}

/** Counts a profile's matches of the last 30 days of a zone; null if nothing is stored or its search has a fault. */
export async function readProfileMatches(
  search: ProfileSearch,
  timeZone: string,
  dependencies: SyncDependencies,
): Promise<AlertProfile['window']> {
  if ((await dependencies.store.storedRange()) === null) return null
  const found = await selectProfile(search, lastDays(timeZone, dependencies.clock.nowMs()), dependencies)
  return found && countWindow(found.rows, found.selection.matched)
}

/** Counts matching rows, and returns when the newest was published. */
function countWindow(records: IndexRows, rows: ArrayLike<number>): AlertProfile['window'] {
  const latest = records.at[rows[0] ?? -1]
  return { matches: rows.length, latestAt: latest === undefined ? null : new Date(latest).toISOString() }
}
