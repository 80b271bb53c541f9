import { type FeedBounds, toIso } from '#bff/time/time-range.ts'
import { FILLED_DAYS } from '#bff/time/window-days.ts'
import type { SyncState } from '#bff/window/sync/sync-state.ts'
import type { Freshness } from '#contract/bff/freshness.ts'
import { DAY_MS } from '#contract/duration.ts'

/** An answer may be given again until the next read, and no longer than a reader would wait for news. */
const FRESH_MAX_MS = 15_000
const STALE_FOR_MS = 1_000
/** How many reads may be missed before the window counts as late. */
const LATE_READS = 3
const LATE_MIN_MS = 60_000

/** How old an answer from the window is, and how long it may be given again. */
export function windowFreshness(
  { lastReadAt, nextReadAt, heldFrom, heldTo }: SyncState,
  { trouble, nowMs }: { trouble: string | null; nowMs: number },
): { freshness: Freshness; freshForMs: number } {
  const read = Date.parse(lastReadAt)
  const pace = Date.parse(nextReadAt) - read
  const isLate = nowMs - read > Math.max(LATE_MIN_MS, LATE_READS * pace)
  const staleReason = trouble ?? (isLate ? 'Nothing has been read from the source for a while.' : null)
  return {
    freshness: {
      fetchedAt: lastReadAt,
      isStale: staleReason !== null,
      staleReason,
      covers: { from: heldFrom, to: heldTo },
    },
    freshForMs: staleReason === null ? FRESH_MAX_MS : STALE_FOR_MS,
  }
}

/**
 * Whether the query's time lies inside the window: an open start is the newest records, whatever lies before them. While
 * it is filling, it answers for all of its days and says how far it has come.
 */
export function reaches(
  { isComplete, heldFrom, since }: SyncState,
  { start }: FeedBounds,
  nowMs: number,
): boolean {
  // Without a bound the vendor gave all that the plan allows: nothing older can be had.
  if (start === null || (isComplete && since === null)) return true
  const goal = since === null ? nowMs - FILLED_DAYS * DAY_MS : Date.parse(since)
  return start >= (isComplete ? Date.parse(heldFrom) : Math.min(goal, Date.parse(heldFrom)))
}

/** Whether all of the stored time is stored: not while it is filling, nor while a gap above it is being closed. */
export function isWhole({ isComplete, newerCursor, newerStartedAt, heldTo }: SyncState): boolean {
  return isComplete && (newerCursor === null || newerStartedAt === heldTo)
}

/** The part of the query's time that is stored. */
export function coveredPart(
  { heldFrom, heldTo }: SyncState,
  { start, end }: FeedBounds,
): Freshness['covers'] {
  const from = toIso(Math.max(Date.parse(heldFrom), start ?? Number.NEGATIVE_INFINITY)) ?? null
  const to = toIso(Math.min(Date.parse(heldTo), end ?? Number.POSITIVE_INFINITY)) ?? null
  return { from, to }
}
