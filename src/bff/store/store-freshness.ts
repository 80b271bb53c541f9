import type { IndexedState } from '#bff/store/index/threat-index.ts'
import { missingOf } from '#bff/store/sync/reading.ts'
import { checkOf, crawlsOf, type StoredState } from '#bff/store/sync/sync-state.ts'
import { coverageOf, type StoredTime } from '#bff/time/coverage.ts'
import { type FeedBounds, toIso } from '#bff/time/time-range.ts'
import type { Freshness } from '#contract/bff/freshness.ts'

/** The longest time for which an answer may be cached, even if the next poll is later. */
const FRESH_MAX_MS = 15_000
const STALE_FOR_MS = 1_000
/** The store counts as late after this many missed polls. */
const LATE_READS = 3
const LATE_MIN_MS = 60_000

/** Returns how old an answer from the store is, and how long it may be cached. */
export function storeFreshness(
  state: IndexedState,
  { trouble, nowMs, time }: { trouble: string | null; nowMs: number; time: StoredTime },
): { freshness: Freshness; freshForMs: number } {
  const { lastReadAt, nextReadAt, list } = state
  const read = Date.parse(lastReadAt)
  const pace = Date.parse(nextReadAt) - read
  const isLate = nowMs - read > Math.max(LATE_MIN_MS, LATE_READS * pace)
  const missing = missingOf(list)
  const staleReason = trouble ?? (isLate ? 'Nothing has been read from the vendor for a while.' : null)
  return {
    freshness: {
      fetchedAt: lastReadAt,
      isStale: staleReason !== null,
      staleReason,
      change: state.change,
      coverage: coverageOf(time, { start: null, end: null }, nowMs),
      ...checkedPart(state, null),
      ...(missing && { missing }),
    },
    freshForMs: staleReason === null ? FRESH_MAX_MS : STALE_FOR_MS,
  }
}

/** A requested time, and the stored time. */
export type RequestedTime = { bounds: FeedBounds; time: StoredTime; nowMs: number }

/**
 * Returns true if a time is read completely: no part is unread, newer records are not being caught up with, and no listed
 * records are known to be missing.
 */
export function isRead(state: StoredState, { bounds, time, nowMs }: RequestedTime): boolean {
  const { catchUp } = crawlsOf(state)
  const isCaughtUp =
    catchUp === null ||
    catchUp.startedAt === state.storedTo ||
    (bounds.end !== null && bounds.end <= Date.parse(state.storedTo))
  const { gaps } = coverageOf(time, bounds, nowMs)
  return isCaughtUp && !time.lacksRecords && gaps.every(({ why }) => why !== 'notRead')
}

/**
 * Returns the last comparison with the vendor's list that reaches back to a time. If none does, returns the one that
 * reaches furthest.
 */
export function checkedPart(
  { checks, storedFrom }: StoredState,
  start: number | null,
): { checked?: Freshness['checked'] } {
  const requested = toIso(Math.max(Date.parse(storedFrom), start ?? Number.NEGATIVE_INFINITY))
  const checked = checkOf(checks, requested ?? storedFrom)
  return checked ? { checked } : {}
}

/** Returns true if a count of stored records is exact: its whole time was read, and compared with the vendor's list. */
export function isExact(state: StoredState, requested: RequestedTime): boolean {
  const { start } = requested.bounds
  const { checked } = checkedPart(state, start)
  const from = Math.max(Date.parse(state.storedFrom), start ?? Number.NEGATIVE_INFINITY)
  return isRead(state, requested) && checked !== undefined && Date.parse(checked.from) <= from
}

/** Returns the stored part of the vendor's list, and why nothing older is stored. */
export function storedTimeOf({ storedFrom, storedTo, beyond, list }: StoredState): StoredTime {
  const why = beyond === 'notRead' && list.paging === 'refused' ? 'refused' : beyond
  return {
    ranges: [{ from: Date.parse(storedFrom), to: Date.parse(storedTo) }],
    beyond: list.isEmpty === true ? 'endOfList' : why,
    lacksRecords: missingOf(list) !== undefined,
  }
}

/**
 * Returns true if the stored records show what the vendor has. An empty store shows it only if the list was read to its
 * end, or to the retention limit. After a refusal, the vendor may still have records.
 */
export function knowsRecords(state: StoredState, count: number): boolean {
  return count > 0 || ['endOfList', 'historyLimit'].includes(storedTimeOf(state).beyond)
}

/** Returns the freshness of answers while nothing is stored. */
export function unreadFreshness(nowMs: number): Freshness {
  const nowIso = new Date(nowMs).toISOString()
  return {
    fetchedAt: nowIso,
    isStale: true,
    staleReason: 'Nothing has been read from the vendor yet.',
    coverage: coverageOf(
      { ranges: [], beyond: 'notRead', lacksRecords: false },
      { start: null, end: null },
      nowMs,
    ),
  }
}
