import type { Freshness } from '#contract/bff/freshness.ts'
import { TREND_DAYS, type TrendDay } from '#contract/bff/trend.ts'
import { HOUR_MS } from '#contract/duration.ts'
import { dayAfter, firstDayOf, startsOfDays } from './start-of-day.ts'
import type { FeedBounds } from './time-range.ts'

/** A calendar day of a zone: from its first moment on, before that of the next, epoch milliseconds. */
export type Day = { date: string; start: number; end: number }

/** The same, and how much of it is stored. */
export type CoveredDay = Day & Pick<TrendDay, 'coverage'>

/** Bounds of what is stored without a gap, ISO 8601 UTC, and what is missing of it; null while nothing is. */
export type StoredTime = { from: string; to: string; freshness?: Pick<Freshness, 'missing'> } | null

/** Three reads of the slowest pace: what is stored up to then is stored up to now. */
const LAG_MAX_MS = 3 * HOUR_MS

type Span = { from: number; to: number; isWhole: boolean }

/** The month that every figure is of: 30 calendar days of a zone, today among them, and the 30 days before. */
export type Month = {
  /** Both in a row, oldest first; the very last is today. */
  all: CoveredDay[]
  days: CoveredDay[]
  previous: CoveredDay[]
  /** The first moments of all days, and the end of the last. */
  starts: number[]
  /** How much of the 30 days is stored, as answers say it. */
  coverage: Pick<TrendDay, 'date' | 'coverage'>[]
  /** Of the 30 days up to today. */
  bounds: { start: number; end: number } & FeedBounds
  /** Whether all of the time from a moment up to now is stored. */
  isStoredSince(moment: number): boolean
}

export function lastMonth(timeZone: string, nowMs: number, stored: StoredTime): Month {
  const span = toSpan(stored, nowMs)
  const all = lastDays(2 * TREND_DAYS, timeZone, nowMs).map((day) => ({
    ...day,
    coverage: coverageOf(day, span),
  }))
  const days = all.slice(TREND_DAYS)
  const end = all.at(-1)?.end ?? nowMs
  return {
    all,
    days,
    previous: all.slice(0, TREND_DAYS),
    starts: [...all.map(({ start }) => start), end],
    coverage: days.map(({ date, coverage }) => ({ date, coverage })),
    bounds: { start: days.at(0)?.start ?? nowMs, end },
    isStoredSince: (moment) => isStoredSince(stored, { moment, nowMs }),
  }
}

export function isStoredSince(
  stored: StoredTime,
  { moment, nowMs }: { moment: number; nowMs: number },
): boolean {
  const span = toSpan(stored, nowMs)
  return span?.isWhole === true && span.from <= moment && span.to >= nowMs - LAG_MAX_MS
}

function toSpan(stored: StoredTime, nowMs: number): Span | null {
  if (!stored) return null
  // Of records that are missing nobody knows the day.
  const isWhole = stored.freshness?.missing === undefined
  return { from: Date.parse(stored.from), to: Math.min(nowMs, Date.parse(stored.to)), isWhole }
}

export type Compared = {
  /** Of the known days; null where none is known. */
  count: number | null
  /** Whether none of the time so far is missing. */
  isWhole: boolean
  /** Of as many calendar days before; null unless all of both is stored. */
  previous: number | null
}

/** The one comparison of calendar days: the last of them, today included, with as many before. */
export function compareDays(month: Month, counts: readonly number[], length = TREND_DAYS): Compared {
  const days = month.all.map((day, at) => ({ ...day, count: toTrendDay(day, counts[at]).count }))
  const now = days.slice(-length)
  const before = days.slice(-2 * length, -length)
  const isStored = ([first]: typeof days) => first !== undefined && month.isStoredSince(first.start)
  return {
    count: sumKnown(now),
    isWhole: isStored(now),
    previous: isStored(before) ? sumKnown(before) : null,
  }
}

function sumKnown(days: readonly Pick<TrendDay, 'count'>[]): number | null {
  const known = days.flatMap(({ count }) => count ?? [])
  return known.length > 0 ? known.reduce((sum, count) => sum + count, 0) : null
}

/** What is not stored is unknown, whatever was counted there. */
export function toTrendDay({ date, start, end, coverage }: CoveredDay, count = 0): TrendDay {
  return {
    date,
    from: new Date(start).toISOString(),
    to: new Date(end).toISOString(),
    coverage,
    count: coverage === 'unknown' ? null : count,
  }
}

function lastDays(count: number, timeZone: string, nowMs: number): Day[] {
  const dates = [firstDayOf(count, timeZone, nowMs)]
  while (dates.length <= count) dates.push(dayAfter(dates.at(-1) ?? ''))
  const starts = startsOfDays(dates, timeZone)
  return dates.slice(0, count).map((date, at) => ({ date, start: starts[at] ?? 0, end: starts[at + 1] ?? 0 }))
}

function coverageOf({ start, end }: Day, stored: Span | null): TrendDay['coverage'] {
  if (!stored || end <= stored.from || start >= stored.to) return 'unknown'
  return stored.isWhole && start >= stored.from && end <= stored.to ? 'whole' : 'partial'
}
