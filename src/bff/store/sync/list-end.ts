import { FIRST_DAYS, startOfDays } from '#bff/time/history-limits.ts'
import { iso, later } from '#bff/time/iso-time.ts'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import type { Facts } from './choose-step.ts'
import type { KnownList } from './reading.ts'
import type { StoredState } from './sync-state.ts'

/** A list may be quiet for this long, or for this multiple of its usual interval between records. */
const QUIET_MS = 2 * DAY_MS
const QUIET_GAPS = 4
/** A day's comparison begins a little before the day is over. */
const STEADY_MS = 20 * HOUR_MS

/** A list without order is read to its end, so it is requested for no more than the first days. */
export function boundAfter({ order }: KnownList, since: string | null, nowMs: number): string | null {
  const first = startOfDays(FIRST_DAYS, nowMs).toISOString()
  return order === 'none' && since !== null ? later(since, first) : since
}

export type ListEnd = {
  start: string
  beyond: StoredState['beyond']
  /** Nobody knows whether the plan cuts the list there. */
  isDoubtful: boolean
}

/**
 * Decides where a list that has ended begins, and why. If the vendor reports how far back the plan reads, that is known.
 * Another plan may cut it silently: a bound long before the last record, compared with the usual interval of records, is
 * doubtful, so that no unread day counts as a quiet one. It is accepted once the same record is the last after so long
 * that a plan would have cut it off.
 */
export function endOfList(
  bound: string | null,
  last: string,
  { count, facts, before }: { count: number; facts: Facts; before?: StoredState },
): ListEnd {
  const { nowMs, keptFrom, data } = facts
  const certain = (start: string, beyond: StoredState['beyond']) => ({ start, beyond, isDoubtful: false })
  const limitOf = (start: string) =>
    Date.parse(start) > Date.parse(keptFrom) + DAY_MS ? 'notRead' : 'historyLimit'
  if (data.window === 'all')
    return bound === null ? certain(last, 'endOfList') : certain(bound, limitOf(bound))
  if (data.window !== null) {
    const planStart = iso(nowMs - data.window * DAY_MS)
    return bound === null || planStart > bound
      ? certain(planStart, 'planWindow')
      : certain(bound, limitOf(bound))
  }
  if (bound === null) return certain(last, 'planWindow')
  const gapMs = Date.parse(last) - Date.parse(bound)
  const usualGapMs = (nowMs - Date.parse(last)) / Math.max(1, count)
  if (gapMs <= Math.max(QUIET_MS, QUIET_GAPS * usualGapMs)) return certain(bound, limitOf(bound))
  const seenAt = before?.storedFrom === last ? before.checks.all?.at : undefined
  const isSteady =
    seenAt !== undefined && nowMs - Date.parse(seenAt) >= Math.max(STEADY_MS, QUIET_GAPS * usualGapMs)
  const start = before?.since ?? bound
  return isSteady ? certain(start, limitOf(start)) : { start: last, beyond: 'planWindow', isDoubtful: true }
}

/** Returns since when an empty vendor is known to have no record: as far back as the key can read. */
export function startOfEmpty(bound: string | null, { data: { window }, filledFrom, nowMs }: Facts): string {
  if (typeof window !== 'number') return bound ?? iso(nowMs)
  return later(bound ?? filledFrom, iso(nowMs - window * DAY_MS))
}
