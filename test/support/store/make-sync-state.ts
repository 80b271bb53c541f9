import { UNKNOWN_LIST } from '#bff/store/sync/reading.ts'
import { type CompleteState, NO_CHECKS } from '#bff/store/sync/sync-state.ts'
import { DAY_MS } from '#contract/duration.ts'

/** A window that is filled and was read just now. */
export function makeSyncState(now: string, some: Partial<CompleteState> = {}): CompleteState {
  const monthAgo = new Date(Date.parse(now) - 30 * DAY_MS).toISOString()
  return {
    source: 'a source',
    keys: null,
    set: 'v1',
    storedFrom: monthAgo,
    storedTo: now,
    since: monthAgo,
    status: 'complete',
    isRedacted: false,
    reconciledAt: now,
    lastReadAt: now,
    nextReadAt: new Date(Date.parse(now) + 3_600_000).toISOString(),
    dataVersion: null,
    beyond: 'historyLimit',
    list: { ...UNKNOWN_LIST, order: 'newestFirst' },
    checks: { ...NO_CHECKS, all: { from: monthAgo, at: now }, allTriedAt: now },
    recheck: null,
    revision: 0,
    ...some,
  }
}
