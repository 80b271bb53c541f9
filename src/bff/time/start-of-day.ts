import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import { calendarDays, type DaySpan } from '#matcher/query/query-days.ts'
import type { Moments } from '#matcher/query/query-tests.ts'

const SEARCH_MS = 36 * HOUR_MS

/**
 * The first moment of a calendar day (`2026-03-29`) in a time zone, epoch milliseconds. Where clocks skip midnight, or
 * the whole day, it is the first moment that is not before it.
 */
export function startOfDay(day: string, timeZone: string): number {
  return createFindStart(timeZone)(day, Date.parse(day))
}

/** The first moments of days, oldest first. */
export function startsOfDays(days: readonly string[], timeZone: string): number[] {
  const findStart = createFindStart(timeZone)
  let offset = 0
  return days.map((day) => {
    // Most days begin at the same hour of UTC as the one before.
    const start = findStart(day, Date.parse(day) + offset)
    offset = start - Date.parse(day)
    return start
  })
}

/** Looks at the likely moment first. A zone's calendar costs more to make than many looks into it. */
function createFindStart(timeZone: string): (day: string, likely: number) => number {
  const dayOf = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' })
  return (day, likely) => {
    const wanted = Number(day.replaceAll('-', ''))
    const isBefore = (moment: number) => dayNumber(dayOf, moment) < wanted
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
}

/** The first of that many calendar days up to now, today among them. */
export function firstDayOf(days: number, timeZone: string, nowMs: number): string {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(nowMs)
  return new Date(Date.parse(today) - (days - 1) * DAY_MS).toISOString().slice(0, 10)
}

/** The moments of days as a query names them, from the first of the first day on, before the end of the last. */
export function createDayBounds(timeZone: string, nowMs: number) {
  const today = firstDayOf(1, timeZone, nowMs)
  return {
    today,
    momentsOf(span: DaySpan): Moments {
      const { first, last } = calendarDays(span, today)
      return { start: startOfDay(first, timeZone), end: startOfDay(dayAfter(last), timeZone) }
    },
  }
}

/** The calendar day after: `2026-12-31` gives `2027-01-01`. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)
}

/** 20260329. */
function dayNumber(format: Intl.DateTimeFormat, epochMs: number): number {
  const parts = new Map(format.formatToParts(epochMs).map(({ type, value }) => [type, Number(value)]))
  return (parts.get('year') ?? 0) * 10_000 + (parts.get('month') ?? 0) * 100 + (parts.get('day') ?? 0)
}
