import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import { calendarDays, type DaySpan } from '#matcher/query/query-days.ts'
import type { Moments } from '#matcher/query/query-tests.ts'

const SEARCH_MS = 36 * HOUR_MS

/** The zones of a team. A zone's calendar costs more to make than many looks into it. */
const ZONES_MAX_COUNT = 64
/** The days of some years in the zones of a team. */
const DAYS_MAX_COUNT = 20_000
const calendars = new Map<string, Intl.DateTimeFormat>()
/** First moments, by zone and day. */
const known = new Map<string, number>()

/**
 * The first moment of a calendar day (`2026-03-29`) in a time zone, epoch milliseconds. Where clocks skip midnight, or
 * the whole day, it is the first moment that is not before it.
 */
export function startOfDay(day: string, timeZone: string): number {
  return startsOfDays([day], timeZone)[0] ?? Number.NaN
}

/** The first moments of days, oldest first. */
export function startsOfDays(days: readonly string[], timeZone: string): number[] {
  let offset = 0
  return days.map((day) => {
    const key = `${timeZone} ${day}`
    // Most days begin at the same hour of UTC as the one before.
    const start = known.get(key) ?? findStart(day, timeZone, Date.parse(day) + offset)
    keep(known, key, start, DAYS_MAX_COUNT)
    offset = start - Date.parse(day)
    return start
  })
}

/** Looks at the likely moment first. */
function findStart(day: string, timeZone: string, likely: number): number {
  const isBefore = (moment: number) => dayAt(moment, timeZone) < day
  if (isBefore(likely - 1) && !isBefore(likely)) return likely
  let before = Date.parse(day) - SEARCH_MS
  let notBefore = Date.parse(day) + SEARCH_MS
  while (notBefore - before > 1) {
    const middle = Math.floor((before + notBefore) / 2)
    if (isBefore(middle)) before = middle
    else notBefore = middle
  }
  return notBefore
}

/** The first of that many calendar days up to now, today among them. */
export function firstDayOf(days: number, timeZone: string, nowMs: number): string {
  const today = dayAt(nowMs, timeZone)
  return new Date(Date.parse(today) - (days - 1) * DAY_MS).toISOString().slice(0, 10)
}

/** The moments of days as a query names them, from the first of the first day on, before the end of the last. */
export function momentsOfDays(days: DaySpan, timeZone: string, nowMs: number): Moments {
  const { first, last } = calendarDays(days, firstDayOf(1, timeZone, nowMs))
  return { start: startOfDay(first, timeZone), end: startOfDay(addDays(last, 1), timeZone) }
}

/** Returns a calendar day so many days later: the day after `2026-12-31` is `2027-01-01`. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10)
}

/** The calendar day of a moment: `2026-03-29`. */
function dayAt(epochMs: number, timeZone: string): string {
  const calendar = calendars.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone })
  keep(calendars, timeZone, calendar, ZONES_MAX_COUNT)
  // Years before 1000 are written without zeros.
  return calendar.format(epochMs).padStart('2026-03-29'.length, '0')
}

/** A deleted value is computed again. */
function keep<Value>(values: Map<string, Value>, key: string, value: Value, most: number): void {
  if (values.size >= most && !values.has(key)) values.clear()
  values.set(key, value)
}
