import { DATED_FROM_MS } from '#bff/time/time-range.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { IndexRows } from './index-rows.ts'

const SAMPLE_MAX_COUNT = 1_000
/** A source that gives hours has one in 24 at midnight. */
const SHARE_MIN = 1 / 4
/** Fewer may be chance. */
const MIN_COUNT = 10

/** Returns true if the newest records have a date without a time of day, which is read as midnight UTC. */
export function isDatedByDay({ at, count }: Pick<IndexRows, 'at' | 'count'>): boolean {
  const times = at.subarray(0, Math.min(count, SAMPLE_MAX_COUNT)).filter((time) => time >= DATED_FROM_MS)
  const atMidnight = times.filter((time) => time % DAY_MS === 0).length
  return atMidnight >= MIN_COUNT && atMidnight > times.length * SHARE_MIN
}
