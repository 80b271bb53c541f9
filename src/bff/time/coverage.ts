import type { Coverage, Gap, GapReason } from '#contract/bff/coverage.ts'
import { HOUR_MS } from '#contract/duration.ts'
import { iso } from './iso-time.ts'
import type { FeedBounds } from './time-range.ts'

/** Epoch milliseconds: from its first moment on, before its end. */
export type TimeRange = { from: number; to: number }

/** The time of which all records that the vendor lists were read. */
export type StoredTime = {
  /** Newest first; none touches another. */
  ranges: readonly TimeRange[]
  /** Nothing older is stored for this reason; `endOfList` if the vendor has nothing older. */
  beyond: GapReason | 'endOfList'
  /** Single records of it are known to be missing, on unknown days. */
  lacksRecords: boolean
  /** Times that could not be read whole, and why, newest first. */
  failed?: readonly (TimeRange & { why: GapReason })[]
}

/** Three reads of the slowest pace: what is stored up to then is stored up to now. */
const LAG_MAX_MS = 3 * HOUR_MS

/** Returns the stored share of a time, up to now. */
export function coverageOf(
  { ranges, beyond, lacksRecords, failed = [] }: StoredTime,
  { start, end }: FeedBounds,
  nowMs: number,
): Coverage {
  const first = start ?? Number.NEGATIVE_INFINITY
  const last = Math.min(end ?? nowMs, nowMs)
  const gaps: Gap[] = []
  const addGap = (from: number, to: number, why: GapReason) => {
    if (from >= to) return
    // The part that is nearest to now says why the rest was not read.
    const met = why === 'notRead' ? failed.find((one) => one.from < to && from < one.to) : undefined
    gaps.push({ from: Number.isFinite(from) ? iso(from) : null, to: iso(to), why: met?.why ?? why })
  }
  let upTo = last
  const newest = ranges.at(0)
  if (newest && newest.to >= nowMs - LAG_MAX_MS) upTo = Math.min(upTo, newest.to)
  for (const { from, to } of ranges) {
    addGap(Math.max(first, to), upTo, 'notRead')
    upTo = Math.min(upTo, from)
  }
  if (beyond !== 'endOfList') addGap(first, upTo, beyond)

  const stored = ranges
    .map(({ from, to }) => ({ from: Math.max(from, first), to: Math.min(to, last) }))
    .filter(({ from, to }) => from < to)
  const [latest, oldest] = [stored.at(0), stored.at(-1)]
  const isNone = gaps.length > 0 && stored.length === 0
  return {
    status: isNone ? 'none' : gaps.length > 0 || lacksRecords ? 'part' : 'complete',
    from: oldest ? iso(oldest.from) : null,
    to: latest ? iso(latest.to) : null,
    gaps,
  }
}

/** Ranges in any order as the fewest that hold the same time, newest first. */
export function joinRanges(ranges: readonly TimeRange[]): TimeRange[] {
  const joined: TimeRange[] = []
  for (const range of ranges.toSorted((a, b) => b.to - a.to)) {
    const last = joined.at(-1)
    if (last && range.to >= last.from) last.from = Math.min(last.from, range.from)
    else joined.push({ ...range })
  }
  return joined
}
