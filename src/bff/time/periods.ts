import { firstMonthOf, type Period, shiftPeriod } from '#contract/bff/period.ts'
import { DAY_MS } from '#contract/duration.ts'
import { addDays, firstDayOf, startsOfDays } from './start-of-day.ts'

/** Calendar days of a zone: from the first moment of `date` on, before `end`, epoch milliseconds. */
export type Interval = { date: string; start: number; end: number }

/** A period on the calendar of a zone, and the one before, which it is compared with. */
export type PeriodCalendar = Period & {
  /** The drawn intervals, oldest first: they tile the period up to today. */
  intervals: Interval[]
  /** Intervals of the period before, in the same order and at most as many. */
  previous: Interval[]
  /** First moments, epoch milliseconds; `end` is the first one after. */
  before: number
  start: number
  end: number
  /** The last 7 days, with today, and the 7 before. */
  week: { before: number; start: number }
  /** The first moment of tomorrow. */
  todayEnd: number
}

const WEEK_DAYS = 7
type Rule = {
  unit: Period['unit']
  first: string
  last: string
  firstBefore: string
  weeksFrom: 'first' | 'last'
}

export function calendarOf(name: string, timeZone: string, nowMs: number): PeriodCalendar {
  const today = firstDayOf(1, timeZone, nowMs)
  const { unit, first, last, firstBefore, weeksFrom } = ruleOf(name, today)
  const isRunning = last >= today
  const to = isRunning ? today : last
  const after = addDays(to, 1)
  const own = cutDays({ unit, weeksFrom, isOver: !isRunning }, first, after)
  const all = cutDays({ unit, weeksFrom, isOver: true }, firstBefore, first)
  const previous = all.slice(0, own.length)
  const week = { before: addDays(today, 1 - 2 * WEEK_DAYS), start: addDays(today, 1 - WEEK_DAYS) }
  const tomorrow = addDays(today, 1)
  const dates = [...new Set([...all, ...own, after, week.before, week.start, tomorrow])].sort()
  const starts = startsOfDays(dates, timeZone)
  const startOf = new Map(dates.map((date, at) => [date, starts[at] ?? 0]))
  const momentOf = (date: string) => startOf.get(date) ?? 0
  const toIntervals = (some: readonly string[], end: string): Interval[] =>
    some.map((date, at) => ({ date, start: momentOf(date), end: momentOf(some[at + 1] ?? end) }))
  return {
    name,
    unit,
    from: first,
    to,
    isRunning,
    intervals: toIntervals(own, after),
    previous: toIntervals(previous, all[previous.length] ?? first),
    before: momentOf(firstBefore),
    start: momentOf(first),
    end: momentOf(after),
    week: { before: momentOf(week.before), start: momentOf(week.start) },
    todayEnd: momentOf(tomorrow),
  }
}

const DAYS: Readonly<Record<string, number>> = { '7d': 7, '30d': 30, '90d': 90 }
const YEAR_MONTHS = 12
const LONG_DAYS = 31

function ruleOf(name: string, today: string): Rule {
  const days = DAYS[name]
  if (days !== undefined) {
    const first = addDays(today, 1 - days)
    const unit = days > LONG_DAYS ? 'week' : 'day'
    // The last week is the last 7 days.
    return { unit, first, last: today, firstBefore: addDays(first, -days), weeksFrom: 'last' }
  }
  const firstMonth = firstMonthOf(name)
  if (firstMonth === null) {
    const first = addMonths(today, 1 - YEAR_MONTHS)
    return {
      unit: 'month',
      first,
      last: today,
      firstBefore: addMonths(first, -YEAR_MONTHS),
      weeksFrom: 'first',
    }
  }
  const first = `${firstMonth}-01`
  return {
    unit: name.includes('Q') ? 'week' : 'day',
    first,
    last: addDays(`${firstMonthOf(shiftPeriod(name, 1) ?? name)}-01`, -1),
    firstBefore: `${firstMonthOf(shiftPeriod(name, -1) ?? name)}-01`,
    weeksFrom: 'first',
  }
}

/** The first days of the intervals from a day on, before another. */
function cutDays(
  { unit, weeksFrom, isOver }: { unit: Rule['unit']; weeksFrom: Rule['weeksFrom']; isOver: boolean },
  from: string,
  until: string,
): string[] {
  const step = unit === 'week' ? WEEK_DAYS : 1
  const length = (Date.parse(until) - Date.parse(from)) / DAY_MS
  const isShortFirst = weeksFrom === 'last' && length % step > 0
  const dates = isShortFirst ? [from] : []
  let next = isShortFirst ? addDays(from, length % step) : from
  while (next < until) {
    dates.push(next)
    next = unit === 'month' ? addMonths(next, 1) : addDays(next, step)
  }
  // A bar of one day beside weeks would look like a fall: that day is in the week before.
  if (isOver && unit === 'week' && length % step === 1) dates.pop()
  return dates
}

/** The first day of the month so many months later. */
function addMonths(day: string, count: number): string {
  const [year, month] = day.split('-').map(Number)
  return new Date(Date.UTC(year ?? 0, (month ?? 1) - 1 + count, 1)).toISOString().slice(0, 10)
}
