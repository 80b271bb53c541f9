import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import type { CrawlName, Setbacks } from './setbacks.ts'
import type { SyncState } from './sync-state.ts'

/** Records that appear with a time a little before those already read. */
export const OVERLAP_MS = 10 * 60_000
export const RECONCILED_MS = 2 * DAY_MS
const RECONCILE_EVERY_MS = HOUR_MS
/** A reconciliation takes several calls: with a small budget it comes less often. */
const RECONCILE_EVERY_PACES = 50

/** No look for new records is under way. */
export const NO_NEWER = { newerCursor: null, newerStartedAt: null, newerUntil: null }

/** Where a walk goes on; null where it begins. */
export function cursorOf({ newerCursor, olderCursor }: SyncState, crawl: CrawlName): string | null {
  return crawl === 'newer' ? newerCursor : olderCursor
}

/** How long until each walk goes on: one that has failed rests, and the other does not wait for it. */
export function waitsOf(
  { newerCursor, nextReadAt, isComplete }: SyncState,
  setbacks: Setbacks,
  { nowMs, elapsedMs }: { nowMs: number; elapsedMs: number },
): Record<CrawlName, number> {
  const restOf = (crawl: CrawlName) => Math.max(0, setbacks[crawl].restsUntilMs - elapsedMs)
  const dueMs = newerCursor === null ? Math.max(0, Date.parse(nextReadAt) - nowMs) : 0
  return {
    newer: Math.max(dueMs, restOf('newer')),
    older: isComplete ? Number.POSITIVE_INFINITY : restOf('older'),
  }
}

/** The walk whose turn it is; null where both wait. */
export function chooseCrawl(
  { newerCursor }: SyncState,
  { newer, older }: Record<CrawlName, number>,
  owesOlder: boolean,
): CrawlName | null {
  const goesFirst = newerCursor !== null || !owesOlder || older > 0
  if (newer === 0 && goesFirst) return 'newer'
  return older === 0 ? 'older' : null
}

/** How far back a look for new records goes: every so often further than what is held, for those that came late. */
export function boundOfLook(
  { heldTo, since, reconciledAt }: SyncState,
  { nowMs, paceMs, newest }: { nowMs: number; paceMs: number; newest: string | null },
): string {
  const iso = (ms: number) => new Date(ms).toISOString()
  const everyMs = Math.max(RECONCILE_EVERY_MS, RECONCILE_EVERY_PACES * paceMs)
  const sinceMs = nowMs - Date.parse(reconciledAt)
  // Where the plan's window is shorter than ours, only its end tells how far it reaches today.
  if (since === null && sinceMs >= Math.max(everyMs, DAY_MS)) return iso(0)
  if (sinceMs >= everyMs) return iso(nowMs - RECONCILED_MS)
  const held = newest !== null && newest < heldTo ? newest : heldTo
  return iso(Date.parse(held) - OVERLAP_MS)
}
