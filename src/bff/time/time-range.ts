import { ProblemError } from '#bff/http/problem-error.ts'
import { type ThreatListQuery, WITHIN_DAYS, withinOf } from '#contract/bff/threat-list.ts'
import { addDays, firstDayOf, startOfDay } from './start-of-day.ts'

/** The time that a query covers, epoch milliseconds: from `start` on, before `end`. Null is open. */
export type FeedBounds = { start: number | null; end: number | null }

/** Records without a date stand in lists before all times that records have, and so after all that have one. */
export const DATED_FROM_MS = Date.UTC(1500, 0)
const UNDATED: FeedBounds = { start: null, end: DATED_FROM_MS }
/** Holds no record: those without a date are after no moment, and before none. */
const NEVER: FeedBounds = { start: DATED_FROM_MS, end: DATED_FROM_MS }

type DaysQuery = Pick<ThreatListQuery, 'from' | 'to' | 'since' | 'until' | 'timeZone'>

const YEAR = /^[12]\d{3}-/

/** The reader's days, and the moments that narrow them, as exact moments. */
export function feedBounds(query: DaysQuery & Pick<ThreatListQuery, 'within'>, nowMs: number): FeedBounds {
  const within = withinOf(query)
  if (!within) return dayBounds(query)
  if (within === 'undated') return query.since || query.until ? NEVER : UNDATED
  const dayOf = (days: number) => firstDayOf(days, query.timeZone, nowMs)
  return dayBounds({ ...query, from: dayOf(WITHIN_DAYS[within]), to: dayOf(1) })
}

/** Does the same for days that do not end now. */
export function dayBounds({ from, to, since, until, timeZone }: DaysQuery): FeedBounds {
  for (const [name, day] of [
    ['from', from],
    ['to', to],
  ] as const) {
    if (day !== undefined && !YEAR.test(day)) throw fault(name, 'is not a year that records have')
  }
  if (from !== undefined && to !== undefined && from > to) throw fault('from', 'is after the last day')
  if (since !== undefined && until !== undefined && Date.parse(since) >= Date.parse(until))
    throw fault('since', 'is not before the end')
  const starts = [from === undefined ? [] : startOfDay(from, timeZone), since ? Date.parse(since) : []].flat()
  const ends = [
    to === undefined ? [] : startOfDay(addDays(to, 1), timeZone),
    until ? Date.parse(until) : [],
  ].flat()
  return {
    start: starts.length > 0 ? Math.max(...starts) : null,
    end: ends.length > 0 ? Math.min(...ends) : null,
  }
}

/** The time that is in both. */
export function intersect(one: FeedBounds, other: FeedBounds): FeedBounds {
  const starts = [one.start, other.start].filter((start) => start !== null)
  const ends = [one.end, other.end].filter((end) => end !== null)
  return {
    start: starts.length > 0 ? Math.max(...starts) : null,
    end: ends.length > 0 ? Math.min(...ends) : null,
  }
}

export function toIso(epochMs: number | null): string | undefined {
  return epochMs === null ? undefined : new Date(epochMs).toISOString()
}

function fault(name: string, reason: string): ProblemError {
  return new ProblemError({
    code: 'bad_request',
    detail: 'Correct the query parameters named here.',
    fields: [{ name, reason }],
  })
}
