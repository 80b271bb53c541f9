import type { Comparison } from '#contract/bff/comparison.ts'
import { TREND_DAYS, type TrendDay } from '#contract/bff/trend.ts'
import { DAY_MS } from '#contract/duration.ts'
import { coverageOf, type StoredTime } from './coverage.ts'
import { type Parts, sameParts, toMinute } from './same-part.ts'
import { dayAfter, firstDayOf, startsOfDays } from './start-of-day.ts'
import type { FeedBounds } from './time-range.ts'

/** A calendar day of a zone: from its first moment on, before that of the next, epoch milliseconds. */
export type Day = { date: string; start: number; end: number }

/** The same, and how much of it is stored. */
export type CoveredDay = Day & Pick<TrendDay, 'coverage'>

/** What days are counted in; null while nothing is stored. */
export type Stored = {
  time: StoredTime
  /** Records have a date and no time of day, which is read as midnight UTC. */
  isDatedByDay?: boolean
} | null

/** The periods that are compared, by the number of their calendar days. */
const COMPARED_DAYS = { week: 7, month: TREND_DAYS } as const
export type ComparedPeriod = keyof typeof COMPARED_DAYS

/** The month that every figure is of: 30 calendar days of a zone, today among them, and the 30 days before. */
export type Month = {
  /** Both in a row, oldest first; the very last is today. */
  all: CoveredDay[]
  days: CoveredDay[]
  previous: CoveredDay[]
  /**
   * The first moments of the pieces that are counted, oldest first, and the end of the last. A piece is a day, or a part
   * of one where a compared time begins or ends in it.
   */
  edges: number[]
  /** The place of each edge, and so the piece that begins there. */
  pieceAt: ReadonlyMap<number, number>
  /** The piece with which the 30 days begin. */
  firstPiece: number
  /** How much of the 30 days is stored, as answers say it. */
  coverage: Pick<TrendDay, 'date' | 'coverage'>[]
  /** Of the 30 days up to today. */
  bounds: { start: number; end: number } & FeedBounds
  /** What is compared of each period: up to the minute that was last read. */
  parts: Readonly<Record<ComparedPeriod, Parts>>
  isDatedByDay: boolean
  /** Whether all of the time from a moment up to now is stored. */
  isStoredSince(moment: number): boolean
}

export function lastMonth(timeZone: string, nowMs: number, stored: Stored): Month {
  const all = lastDays(2 * TREND_DAYS, timeZone, nowMs).map((day) => ({
    ...day,
    coverage: coverageOfDay(day, stored, nowMs),
  }))
  const days = all.slice(TREND_DAYS)
  const start = days.at(0)?.start ?? nowMs
  const end = all.at(-1)?.end ?? nowMs
  const until = comparedUntil(stored, nowMs)
  const isDatedByDay = stored?.isDatedByDay === true
  const partsOf = (length: number) => {
    const since = all.at(-length)?.start ?? nowMs
    return sameParts({ before: all.at(-2 * length)?.start ?? since, since }, { until, isDatedByDay })
  }
  const parts = { week: partsOf(COMPARED_DAYS.week), month: partsOf(COMPARED_DAYS.month) }
  const cuts = Object.values(parts).flatMap((part) => Object.values(part))
  const edges = [...new Set([...all.map((day) => day.start), end, ...cuts])].sort((a, b) => a - b)
  const pieceAt = new Map(edges.map((edge, at) => [edge, at]))
  return {
    all,
    days,
    previous: all.slice(0, TREND_DAYS),
    edges,
    pieceAt,
    firstPiece: pieceAt.get(start) ?? 0,
    coverage: days.map(({ date, coverage }) => ({ date, coverage })),
    bounds: { start, end },
    parts,
    isDatedByDay,
    isStoredSince: (moment) => isStoredSince(stored, { moment, nowMs }),
  }
}

/**
 * The last whole minute of which all is read. A record without a time of day stands at the beginning of its day, and the
 * source may still list others until that day is over.
 */
export function comparedUntil(stored: Stored, nowMs: number): number {
  return toMinute(newestOf(stored, nowMs)) - (stored?.isDatedByDay ? DAY_MS : 0)
}

export function isStoredSince(stored: Stored, { moment, nowMs }: { moment: number; nowMs: number }): boolean {
  return stored !== null && coverageOf(stored.time, { start: moment, end: null }, nowMs).status === 'complete'
}

function newestOf(stored: Stored, nowMs: number): number {
  return Math.min(nowMs, stored?.time.ranges.at(0)?.to ?? nowMs)
}

export type PeriodCount = {
  /** Of the known days; null where none is known. */
  count: number | null
  /** Whether none of the time so far is missing. */
  isWhole: boolean
  /** Null unless all of both times is stored. */
  compared: Comparison | null
}

/** The one count of calendar days, today included, and its comparison with the same part of as many days before. */
export function countPeriod(
  month: Month,
  pieces: readonly number[],
  period: ComparedPeriod = 'month',
): PeriodCount {
  const { since, until, previousSince, previousUntil } = month.parts[period]
  const known = month.all.slice(-COMPARED_DAYS[period]).filter(({ coverage }) => coverage !== 'unknown')
  const sum = (start: number, end: number) => sumPieces(month, pieces, { start, end })
  return {
    count: known.length > 0 ? known.reduce((count, { start, end }) => count + sum(start, end), 0) : null,
    isWhole: month.isStoredSince(since),
    compared: month.isStoredSince(previousSince)
      ? {
          count: sum(since, until),
          previous: sum(previousSince, previousUntil),
          ...(month.isDatedByDay && { isWithoutToday: true }),
        }
      : null,
  }
}

/** The counts of all days from those of the pieces. */
export function countsOfDays(month: Month, pieces: readonly number[]): number[] {
  return month.all.map((day) => sumPieces(month, pieces, day))
}

function sumPieces(
  { pieceAt }: Month,
  pieces: readonly number[],
  { start, end }: { start: number; end: number },
): number {
  let sum = 0
  const after = pieceAt.get(end) ?? 0
  for (let piece = pieceAt.get(start) ?? 0; piece < after; piece++) sum += pieces[piece] ?? 0
  return sum
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

/** A day that is not over is stored in part. */
function coverageOfDay({ start, end }: Day, stored: Stored, nowMs: number): TrendDay['coverage'] {
  if (!stored || start >= newestOf(stored, nowMs)) return 'unknown'
  const { status } = coverageOf(stored.time, { start, end }, nowMs)
  if (status === 'none') return 'unknown'
  return status === 'complete' && end <= newestOf(stored, nowMs) ? 'whole' : 'partial'
}
