import { FIRST_DAYS, startOfDays } from '#bff/time/history-limits.ts'
import { DAY_MS } from '#contract/duration.ts'
import { fillPauseOf, type PaceFacts } from './pace.ts'
import { isLargePlan, POLL_EVERY_MS, spareCallsOf } from './recheck.ts'
import type { StoredState } from './sync-state.ts'

/** Reading the past takes at most this share of a large plan's daily calls. */
const SHARE = 0.1

/** Returns true if a fill has come to records that nobody waits for: older than the first days. */
export function isDeep(state: StoredState, nowMs: number): boolean {
  if (state.status !== 'filling' || state.list.order === 'none') return false
  const oldest = state.fill.cursor?.reading?.oldest ?? null
  return oldest !== null && oldest < startOfDays(FIRST_DAYS, nowMs).getTime()
}

/** Returns the wait before the next page of the past: spare calls are spread over the rest of the day. */
export function deepPauseOf(facts: PaceFacts): number {
  const { day } = facts.budgets
  const pauseMs = 2 * fillPauseOf(facts.budgets)
  if (!day || day.remaining === null) return pauseMs
  const spare = spareCallsOf(facts)
  if (spare < 1) return POLL_EVERY_MS
  const leftMs = day.resetsAt === null ? DAY_MS : Math.max(0, Date.parse(day.resetsAt) - facts.nowMs)
  const limit = day.limit ?? day.remaining
  return Math.max(pauseMs, leftMs / spare, isLargePlan(limit) ? DAY_MS / (SHARE * limit) : 0)
}

/** Returns how many calls reading the past takes until the day's limit is renewed; polls for new records slow down. */
export function plannedDeepCalls(state: StoredState, facts: PaceFacts): number {
  const { day } = facts.budgets
  if (!isDeep(state, facts.nowMs) || !day?.limit || !day.resetsAt || !isLargePlan(day.limit)) return 0
  const leftMs = Math.max(0, Date.parse(day.resetsAt) - facts.nowMs)
  return Math.max(0, Math.min(spareCallsOf(facts), (SHARE * day.limit * leftMs) / DAY_MS))
}
