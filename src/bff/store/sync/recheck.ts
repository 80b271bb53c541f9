import { FIRST_DAYS, startOfDays } from '#bff/time/history-limits.ts'
import { dayReserve } from '#bff/upstream/quota/admit-call.ts'
import { restOfDay } from '#bff/upstream/quota/rest-of-day.ts'
import { DAY_MS, MINUTE_MS } from '#contract/duration.ts'
import { type PaceFacts, SHARE, usualCallsUntil } from './pace.ts'
import { missingOf, type Reading } from './reading.ts'
import { type Checks, NO_CHECKS, type StoredState } from './sync-state.ts'

/** Records are compared with the vendor's list this far back within each hour, and back 30 days within each day. */
export const RECENT_MS = 2 * DAY_MS
/** A comparison of many pages ends before the hour, or the day, is over. */
const RECENT_EVERY_MS = 50 * MINUTE_MS
const ALL_EVERY_MS = DAY_MS - 60 * MINUTE_MS
/** A smaller plan is not large enough for comparisons at these times. */
const LARGE_PLAN = 1_000
/** Comparisons take at most these shares of a day's calls, so that a list of many pages is compared less often. */
const LARGE_SHARES = { recent: 0.3, all: 0.2 }
const SMALL_SHARES = { recent: 0.02, all: 0.02 }
/** This share applies if the list holds more or less than is stored. */
const DIFFERENT_SHARE = 0.2
/** On a smaller plan, polls for new records at this pace come before an earlier comparison. */
export const POLL_EVERY_MS = 20 * MINUTE_MS

/** `all` is of 30 days, or of the whole list where it is shorter, differs from what is stored, or costs nothing. */
export type Comparison = 'recent' | 'all'

/** Returns since when the longer comparison reads a list that is requested from a bound on. */
export function startOfLonger(since: string | null, nowMs: number): string {
  const month = startOfDays(FIRST_DAYS, nowMs).toISOString()
  return since !== null && since > month ? since : month
}

const COMPARISONS: readonly Comparison[] = ['recent', 'all']

export function isLargePlan(limit: number): boolean {
  return limit >= LARGE_PLAN
}

/** Returns how many times 30 days are stored, which determines the cost of reading all. */
export function monthsOf({ storedFrom, storedTo }: { storedFrom: string; storedTo: string }): number {
  return Math.max(1, (Date.parse(storedTo) - Date.parse(storedFrom)) / ((FIRST_DAYS + 1) * DAY_MS))
}

/** All that is stored was read from the list. */
export function checkedAll(stored: Parameters<typeof monthsOf>[0], { startedAt, pages }: Reading): Checks {
  return {
    ...NO_CHECKS,
    all: { from: stored.storedFrom, at: startedAt },
    allTriedAt: startedAt,
    pages: { ...NO_CHECKS.pages, all: Math.ceil(pages / monthsOf(stored)) },
  }
}

/** The next comparison: how far back it goes, and when it is due, epoch milliseconds. */
export function nextRecheck(
  state: StoredState,
  facts: PaceFacts & { isFree?: boolean; isDeep?: boolean },
): { name: Comparison; until: string; dueMs: number } {
  const { checks, reconciledAt, since, recheck } = state
  const isWhole = isDifferent(state) || facts.isFree === true
  const allUntil = isWhole ? startOfList(state) : startOfLonger(since, facts.nowMs)
  const recentUntil = new Date(facts.nowMs - RECENT_MS).toISOString()
  const hasSpare = spareCallsOf(facts) >= 1
  // Calls that nobody else needs go on with what was begun, or begin earlier.
  const everyMs = (name: Comparison) => (hasSpare ? wishedMs(state, name) : intervalOf(state, facts, name))
  const recentMs = Date.parse(reconciledAt)
  const dues = {
    recent: recentMs + everyMs('recent'),
    // A difference may be recent: polls for new records count again after the shorter comparison.
    all: Math.max(
      Date.parse(checks.allTriedAt ?? reconciledAt) + everyMs('all'),
      isDifferent(state) ? recentMs + POLL_EVERY_MS : 0,
    ),
  }
  if (recheck) {
    const name = recheck.until <= startOfLonger(since, Date.parse(recheck.startedAt)) ? 'all' : 'recent'
    const isDue = hasSpare || checks.repeatUntil !== null || dues[name] <= facts.nowMs
    return { name, until: recheck.until, dueMs: isDue ? 0 : dues[name] }
  }
  if (checks.repeatUntil) return { name: 'recent', until: checks.repeatUntil, dueMs: 0 }
  // While a list is being read, its older part is new.
  const isRead = state.status !== 'filling' || facts.isDeep === true
  const isAll = isRead && dues.all < dues.recent && dues.recent > facts.nowMs
  const name = isAll ? 'all' : 'recent'
  return { name, until: name === 'all' ? allUntil : recentUntil, dueMs: dues[name] }
}

/** Records beyond the limit are not compared: they would be read to be dropped. */
function startOfList({ since, storedFrom, beyond }: StoredState): string {
  const start = since ?? new Date(0).toISOString()
  return beyond === 'historyLimit' && storedFrom > start ? storedFrom : start
}

/** Returns how many calls comparisons take until the day's limit is renewed. */
export function plannedRecheckCalls(state: StoredState, facts: PaceFacts): number {
  const { day } = facts.budgets
  if (!day?.limit || !day.resetsAt) return 0
  const leftMs = Math.max(0, Date.parse(day.resetsAt) - facts.nowMs)
  return COMPARISONS.reduce(
    (sum, name) => sum + (pagesOf(state, name) * leftMs) / intervalOf(state, facts, name),
    0,
  )
}

function pagesOf(state: StoredState, name: Comparison): number {
  const pages = state.checks.pages[name]
  return name === 'all' && isDifferent(state) ? pages * monthsOf(state) : pages
}

function intervalOf(state: StoredState, { budgets: { day } }: PaceFacts, name: Comparison): number {
  const wishMs = wishedMs(state, name)
  const limit = day?.limit ?? null
  if (limit === null) return wishMs
  const shares = limit >= LARGE_PLAN ? LARGE_SHARES : SMALL_SHARES
  const share = name === 'all' && isDifferent(state) ? DIFFERENT_SHARE : shares[name]
  return Math.max(wishMs, (pagesOf(state, name) * DAY_MS) / (share * limit))
}

function wishedMs(state: StoredState, name: Comparison): number {
  return name === 'recent' || isDifferent(state) ? RECENT_EVERY_MS : ALL_EVERY_MS
}

/** Returns true if the list is known to hold more or less than is stored. */
function isDifferent({ list }: StoredState): boolean {
  return list.isDue || missingOf(list) !== undefined
}

/** Calls of the day beyond what people usually make, what is kept for them, and regular polls for new records. */
export function spareCallsOf({ budgets: { day }, nowMs, usualHours }: PaceFacts): number {
  if (!day || day.remaining === null) return Number.POSITIVE_INFINITY
  const endMs = day.resetsAt === null ? nowMs + DAY_MS : Math.max(nowMs, Date.parse(day.resetsAt))
  const polls = (endMs - nowMs) / POLL_EVERY_MS
  const reserve = dayReserve('window', day.limit ?? day.remaining, restOfDay(nowMs, endMs, usualHours))
  const wanted = usualCallsUntil(endMs, { nowMs, usualHours })
  // While nothing is known of people, polls take a share of what is left.
  return day.remaining - reserve - wanted - polls / (usualHours.size === 0 ? SHARE : 1)
}
