import type { SyncState } from '#bff/window/sync/sync-state.ts'

const DAY_MS = 86_400_000

/** A window that is filled and was read just now. */
export function makeSyncState(now: string, some: Partial<SyncState> = {}): SyncState {
  const monthAgo = new Date(Date.parse(now) - 30 * DAY_MS).toISOString()
  return {
    source: 'a source',
    set: 'v1',
    heldFrom: monthAgo,
    heldTo: now,
    since: monthAgo,
    isComplete: true,
    isRedacted: false,
    olderCursor: null,
    newerCursor: null,
    newerStartedAt: null,
    newerUntil: null,
    reconciledAt: now,
    lastReadAt: now,
    nextReadAt: new Date(Date.parse(now) + 3_600_000).toISOString(),
    revision: 0,
    ...some,
  }
}
