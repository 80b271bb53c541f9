import { ProblemError } from '#bff/http/problem-error.ts'
import { firstMonthOf, type Period } from '#contract/bff/period.ts'
import type { Comparison, CoveredDay, TrendDay } from '#contract/bff/trend.ts'
import { DAY_MS } from '#contract/duration.ts'
import { coverageOf, type StoredTime } from './coverage.ts'
import { calendarOf, type Interval } from './periods.ts'
import { countsSince, type PieceCounts } from './piece-counts.ts'
import { type Parts, sameParts, toMinute } from './same-part.ts'
import { firstDayOf } from './start-of-day.ts'
import type { FeedBounds } from './time-range.ts'

/** An interval, and how much of it is stored. */
type CoveredInterval = Interval & CoveredDay

/** Periods are counted in this; null while nothing is stored. */
export type Stored = {
  time: StoredTime
  /** Records have a date and no time of day, which is read as midnight UTC. */
  isDatedByDay?: boolean
} | null

type Span = { start: number; end: number }

/** A time with its comparison: up to the minute that was last read. */
type CountedTime = {
  parts: Parts
  /** The stored parts of the time, which are counted. */
  known: readonly Span[]
  /** None of the time so far is missing. */
  isWhole: boolean
  /** None of the compared parts is missing. */
  isCompared: boolean
  isWithoutToday: boolean
}
/** The period that figures are of, or the last 7 days, which stand beside it on some pages. */
export type CountedTimeName = 'chosen' | 'week'

/** A period of a zone with all that its figures are counted by. */
export type CountedPeriod = Record<CountedTimeName, CountedTime> & {
  /** The name in answers. */
  period: Period
  days: CoveredInterval[]
  previous: CoveredInterval[]
  /**
   * The first moments of the pieces that are counted, oldest first, and the end of the last, which is the end of today. A
   * piece is an interval, or a part of one where a compared time begins or ends in it.
   */
  edges: number[]
  /** The index of each edge, and so of the piece that begins there. */
  pieceAt: ReadonlyMap<number, number>
  /** The piece with which the period begins, and the first one after it. */
  firstPiece: number
  endPiece: number
  /** The stored share of the period, for answers. */
  coverage: CoveredDay[]
  bounds: Span & FeedBounds
}

type Reader = { timeZone: string; nowMs: number; stored: Stored }

export function countedPeriod(name: string, { timeZone, nowMs, stored }: Reader): CountedPeriod {
  requireBegun(name, timeZone, nowMs)
  const calendar = calendarOf(name, timeZone, nowMs)
  const { intervals, before, start, end, week, todayEnd, isRunning } = calendar
  const cover = (interval: Interval) => ({
    ...interval,
    coverage: coverageOfInterval(interval, stored, nowMs),
  })
  const days = intervals.map(cover)
  const previous = calendar.previous.map(cover)
  const isDatedByDay = stored?.isDatedByDay === true
  const isStored = (from: number, to: number | null) =>
    isStoredBetween(stored, { start: from, end: to }, nowMs)

  function countedTime(
    given: { before: number; start: number; end: number },
    known: readonly Span[],
  ): CountedTime {
    const until = Math.min(given.end, comparedUntil(stored, nowMs))
    const parts = sameParts({ before: given.before, since: given.start }, { until, isDatedByDay })
    const isOpen = given.end === todayEnd
    const isWhole = isStored(given.start, isOpen ? null : given.end)
    return {
      parts,
      known,
      isWhole,
      isCompared: isWhole && isStored(parts.previousSince, parts.previousUntil),
      isWithoutToday: isDatedByDay && isOpen,
    }
  }

  const chosen = countedTime({ before, start, end }, days.filter(isKnown))
  const lastWeek = { start: week.start, end: todayEnd }
  const isWeekKnown = coverageOfInterval({ date: '', ...lastWeek }, stored, nowMs) !== 'unknown'
  const lastDays = countedTime({ before: week.before, ...lastWeek }, isWeekKnown ? [lastWeek] : [])
  const spans = [...days, ...previous, lastWeek, ...[chosen, lastDays].flatMap(({ parts }) => spansOf(parts))]
  const edges = [...new Set([...spans.flatMap((span) => [span.start, span.end]), end])].sort((a, b) => a - b)
  const pieceAt = new Map(edges.map((edge, at) => [edge, at]))
  const { name: own, unit, from, to } = calendar
  return {
    period: { name: own, unit, from, to, isRunning },
    chosen,
    week: lastDays,
    days,
    previous,
    edges,
    pieceAt,
    firstPiece: pieceAt.get(start) ?? 0,
    endPiece: pieceAt.get(end) ?? 0,
    coverage: days.map(({ date, coverage }) => ({ date, coverage })),
    bounds: { start, end },
  }
}

function requireBegun(name: string, timeZone: string, nowMs: number): void {
  const thisMonth = firstDayOf(1, timeZone, nowMs).slice(0, 7)
  if ((firstMonthOf(name) ?? '') <= thisMonth) return
  throw new ProblemError({
    code: 'bad_request',
    detail: 'Correct the query parameters named here.',
    fields: [{ name: 'period', reason: 'is still to come' }],
  })
}

function spansOf({ since, until, previousSince, previousUntil }: Parts): Span[] {
  return [
    { start: since, end: until },
    { start: previousSince, end: previousUntil },
  ]
}

function isKnown({ coverage }: CoveredInterval): boolean {
  return coverage !== 'unknown'
}

/**
 * The last whole minute of which all is read. A record without a time of day stands at the beginning of its day, and the
 * source may still list others until that day is over.
 */
export function comparedUntil(stored: Stored, nowMs: number): number {
  return toMinute(newestOf(stored, nowMs)) - (stored?.isDatedByDay ? DAY_MS : 0)
}

/** Returns true if all of a time up to now is stored; an open end is now. */
export function isStoredBetween(stored: Stored, bounds: FeedBounds, nowMs: number): boolean {
  return stored !== null && coverageOf(stored.time, bounds, nowMs).status === 'complete'
}

function newestOf(stored: Stored, nowMs: number): number {
  return Math.min(nowMs, stored?.time.ranges.at(0)?.to ?? nowMs)
}

export type PeriodCount = {
  /** The sum of the known intervals; null if none is known. */
  count: number | null
  /** The same in cases, where these are counted. */
  cases?: number | null
  /** None of the time so far is missing. */
  isWhole: boolean
  /** Null unless all of both times is stored. */
  compared: Comparison | null
}

/** The one count of a period, and its comparison with the same part of the period before. */
export function countPeriod(
  counted: CountedPeriod,
  pieces: PieceCounts,
  time: CountedTimeName = 'chosen',
): PeriodCount {
  const { parts, known, isWhole, isCompared, isWithoutToday } = counted[time]
  const now = { start: parts.since, end: parts.until }
  const before = { start: parts.previousSince, end: parts.previousUntil }
  const countAll = (of: PieceCounts) =>
    known.length > 0 ? countsOf(counted, known, of).reduce((a, b) => a + b, 0) : null
  const compare = (of: PieceCounts) => ({
    count: countsOf(counted, [now], of)[0] ?? 0,
    previous: countsOf(counted, [before], of)[0] ?? 0,
  })
  const claims = { counts: pieces.counts }
  return {
    count: countAll(claims),
    ...(pieces.repeats && { cases: countAll(pieces) }),
    isWhole,
    compared: isCompared
      ? {
          ...compare(claims),
          ...(pieces.repeats && { cases: compare(pieces) }),
          ...(isWithoutToday && { isWithoutToday: true }),
          ...(time === 'chosen' && !counted.period.isRunning && { isOver: true }),
        }
      : null,
  }
}

/**
 * The counts of consecutive intervals from those of the pieces. A case counts in the interval of its first claim since the
 * first interval of which anything is stored.
 */
export function countsOf(
  { pieceAt }: CountedPeriod,
  intervals: readonly (Span & Partial<CoveredInterval>)[],
  pieces: PieceCounts,
): number[] {
  const first = intervals.find(({ coverage }) => coverage !== 'unknown') ?? intervals[0]
  const counts = countsSince(pieces, pieceAt.get(first?.start ?? 0) ?? 0)
  return intervals.map(({ start, end }) => {
    let sum = 0
    const after = pieceAt.get(end) ?? 0
    for (let piece = pieceAt.get(start) ?? 0; piece < after; piece++) sum += counts[piece] ?? 0
    return sum
  })
}

/** A part that is not stored is unknown, whatever was counted there. */
export function knownCount(coverage: TrendDay['coverage'], count = 0): number | null {
  return coverage === 'unknown' ? null : count
}

export function toTrendDay(
  { date, start, end, coverage }: CoveredInterval,
  { count, cases }: { count?: number | undefined; cases?: number | undefined },
): TrendDay {
  return {
    date,
    from: new Date(start).toISOString(),
    to: new Date(end).toISOString(),
    coverage,
    count: knownCount(coverage, count),
    ...(cases !== undefined && { cases: knownCount(coverage, cases) }),
  }
}

/** An interval that is not over is stored in part. */
function coverageOfInterval({ start, end }: Interval, stored: Stored, nowMs: number): TrendDay['coverage'] {
  if (!stored || start >= newestOf(stored, nowMs)) return 'unknown'
  const { status } = coverageOf(stored.time, { start, end }, nowMs)
  // If only undated records were read, nothing lies between the first and the last moment.
  const isTouched = stored.time.ranges.some(({ from, to }) => from < end && to > start)
  if (status === 'none') return isTouched ? 'partial' : 'unknown'
  return status === 'complete' && end <= newestOf(stored, nowMs) ? 'whole' : 'partial'
}
