import { joinRanges, type TimeRange } from '#bff/time/coverage.ts'
import type { GapReason } from '#contract/bff/coverage.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { History } from './history-ranges.ts'

/** A month that could not be read whole is tried again after so long. */
const RETRY_AFTER_MS = DAY_MS
/** After so many failures the remaining months would fail too. */
const FAILED_MAX_COUNT = 2

export type FailedMonth = TimeRange & { at: number; why: GapReason }

export type MonthFacts = {
  /** The sync's own range. */
  live: TimeRange
  history: History
  failed: readonly FailedMonth[]
  /** The first moment that is kept. */
  keptFrom: number
  nowMs: number
}

/** The newest part of a month that is not stored; null where there is none, or none that is worth a call now. */
export function chooseMonth({ live, history, failed, keptFrom, nowMs }: MonthFacts): TimeRange | null {
  const waiting = failed.filter(({ at }) => nowMs - at < RETRY_AFTER_MS)
  if (waiting.length >= FAILED_MAX_COUNT) return null
  // The plan shows nothing older than a month that it does not show.
  const ends = [history.oldestFrom, ...waiting.filter(({ why }) => why === 'planWindow').map(({ to }) => to)]
  const first = Math.max(keptFrom, ...ends.filter((end) => end !== null))
  const known = joinRanges([live, ...history.ranges, ...waiting])
  return newestMissing(known, { from: first, to: live.from })
}

/** The newest part of a month, within a time, that none of these ranges holds. */
export function newestMissing(known: readonly TimeRange[], within: TimeRange): TimeRange | null {
  let to = within.to
  const newestFirst = joinRanges(known)
  for (const range of newestFirst) if (range.from < to && to <= range.to) to = range.from
  if (to <= within.from) return null
  const below = newestFirst.find((range) => range.to < to)
  return { from: Math.max(within.from, startOfMonth(to - 1), below?.to ?? Number.NEGATIVE_INFINITY), to }
}

/** The first moment of the UTC month that a moment lies in. */
export function startOfMonth(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}
