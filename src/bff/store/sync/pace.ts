import { iso } from '#bff/time/iso-time.ts'
import { dayReserve } from '#bff/upstream/quota/admit-call.ts'
import { restOfDay, type UsualHours } from '#bff/upstream/quota/rest-of-day.ts'
import type { CallBudget, SetState } from '#contract/bff/source.ts'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'

const FILL_PAUSE_MS = 100
const BRISK_MS = 15_000
const SLOW_MS = 60_000
const SLOWEST_MS = HOUR_MS
/** The sync plans to spend at least this share of the day's remaining calls; the rest is for people. */
export const SHARE = 0.4
/** Often enough at any hour. */
const OFTEN_MS = 90_000
/** Polls are this many times rarer while people usually do not look. */
const QUIET_PACES = 4
/** People's usual calls are multiplied by this: a stop by their reserve costs more than a slower pace. */
const MARGIN = 1.1
/** A plan never counts on fewer: the governor refuses what may not be spent. */
const MIN_CALLS = 0.5
/** A day of brisk reading takes fewer calls than this. */
const LARGE_DAY = 20_000
const LARGE_MINUTE = 60
const BACK_OFF_FIRST_MS = 2_000
const BACK_OFF_MAX_MS = 300_000
const DOUBLINGS_MAX = 12

export type PaceFacts = {
  budgets: SetState['budgets']
  nowMs: number
  usualHours: UsualHours
  /** Comparisons of stored records take this many of the day's calls. */
  recheckCalls?: number
}

/** Returns the wait between two polls for new records, so that the budget lasts until it is renewed. */
export function paceOf({ budgets: { minute, day }, ...moment }: PaceFacts): number {
  const byMinute = minute?.limit != null && minute.limit < LARGE_MINUTE ? SLOW_MS : BRISK_MS
  return Math.min(SLOWEST_MS, Math.max(byMinute, day ? paceOfDay(day, moment) : BRISK_MS))
}

/** Returns when the list is polled next. A poll that takes several pages is as much rarer, but comes every day. */
export function nextReadAt(facts: PaceFacts, pages = 1): string {
  const paceMs = paceOf(facts)
  return iso(facts.nowMs + Math.max(paceMs, Math.min(pages * paceMs, DAY_MS)))
}

/** Evenly where that is often enough, else mostly while people usually look. */
function paceOfDay(
  { limit, remaining: left, resetsAt }: CallBudget,
  { nowMs, usualHours, recheckCalls = 0 }: Omit<PaceFacts, 'budgets'>,
): number {
  if (left === null || (limit !== null && limit >= LARGE_DAY)) return BRISK_MS
  const remaining = Math.max(0, left - recheckCalls)
  const endMs = resetsAt === null ? nowMs + DAY_MS : Math.max(nowMs, Date.parse(resetsAt))
  // While people's habits are unknown, any call beyond the sync's share may be theirs.
  if (usualHours.size === 0) return (endMs - nowMs) / Math.max(1, remaining * SHARE)

  const spans = spansUntil(endMs, { nowMs, limit: limit ?? remaining, remaining, usualHours })
  const slowest = (timeOf: (span: Span) => number, callsOf = ({ calls }: Span) => calls) =>
    Math.max(0, ...spans.map((span) => timeOf(span) / Math.max(MIN_CALLS, callsOf(span))))
  const evenMs = slowest(({ usualMs, quietMs }) => usualMs + quietMs)
  const usualPaceMs = Math.max(
    Math.min(OFTEN_MS, evenMs),
    slowest(({ usualMs, quietMs }) => usualMs + quietMs / QUIET_PACES),
  )
  const quietPaceMs = slowest(
    ({ quietMs }) => quietMs,
    ({ calls, usualMs }) => calls - usualMs / usualPaceMs,
  )
  const untilUsual = spans.findLast(({ usualMs }) => usualMs === 0)
  return untilUsual ? Math.min(quietPaceMs, untilUsual.quietMs) : usualPaceMs
}

/** A span from now to the end of one of the next hours. */
type Span = {
  /** The parts of the span while people usually look, and while they do not. */
  usualMs: number
  quietMs: number
  /** The sync may spend these calls in it: without people's usual calls and their reserve after it. */
  calls: number
}

function spansUntil(
  endMs: number,
  { usualHours, ...day }: { nowMs: number; limit: number; remaining: number; usualHours: UsualHours },
): Span[] {
  const { limit, remaining } = day
  const hours = hoursUntil(endMs, day, usualHours)
  const allWanted = hours.reduce((sum, { wanted = 0 }) => sum + wanted, 0)
  const part = Math.min(1, ((1 - SHARE) * remaining) / Math.max(1, allWanted))
  let [usualMs, quietMs, spent] = [0, 0, 0]
  return hours.map(({ ms, wanted, toMs }) => {
    if (wanted === undefined) quietMs += ms
    else usualMs += ms
    spent += part * (wanted ?? 0)
    const reserve = dayReserve('window', limit, restOfDay(toMs, endMs, usualHours))
    return { usualMs, quietMs, calls: remaining - spent - reserve }
  })
}

type Hour = { ms: number; toMs: number; wanted: number | undefined }

/** The hours until a time, with what people usually ask for in each; undefined where nobody asks. */
function hoursUntil(endMs: number, { nowMs }: { nowMs: number }, usualHours: UsualHours): Hour[] {
  const hours: Hour[] = []
  for (let fromMs = nowMs; fromMs < endMs; ) {
    const toMs = Math.min(endMs, (Math.floor(fromMs / HOUR_MS) + 1) * HOUR_MS)
    const usual = usualHours.get(Math.floor(fromMs / HOUR_MS) % 24)
    const ms = toMs - fromMs
    hours.push({ ms, wanted: usual === undefined ? undefined : (MARGIN * usual * ms) / HOUR_MS, toMs })
    fromMs = toMs
  }
  return hours
}

/** Returns how many calls people usually make until a time. */
export function usualCallsUntil(
  endMs: number,
  { nowMs, usualHours }: { nowMs: number; usualHours: UsualHours },
): number {
  return hoursUntil(endMs, { nowMs }, usualHours).reduce((sum, { wanted = 0 }) => sum + wanted, 0)
}

/** Returns the wait between two calls of a crawl through many pages. */
export function fillPauseOf({ minute }: SetState['budgets']): number {
  const isSmall = minute?.limit != null && minute.limit < LARGE_MINUTE
  return isSmall ? (2 * 60_000) / Math.max(1, minute.limit ?? 1) : FILL_PAUSE_MS
}

/** Returns the wait after so many failures: in the end five minutes, or the time between two polls if that is longer. */
export function backOffOf(failures: number, paceMs: number): number {
  const growing = BACK_OFF_FIRST_MS * 2 ** Math.min(failures - 1, DOUBLINGS_MAX)
  return Math.min(growing, Math.max(BACK_OFF_MAX_MS, paceMs))
}
