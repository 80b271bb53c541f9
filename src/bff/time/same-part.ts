import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration.ts'

/** Two equally long times, epoch milliseconds, each before its end. */
export type Parts = { since: number; until: number; previousSince: number; previousUntil: number }

export function toMinute(epochMs: number): number {
  return Math.floor(epochMs / MINUTE_MS) * MINUTE_MS
}

/**
 * The part of a period that is over, and the same part of the one before. `before` and `since` are the first moments of
 * the two periods. The parts are whole hours apart, so that a source of one threat an hour reads no change, also where a
 * clock changes by half an hour. They are never closer than they are long, so that no threat counts in both, and never
 * longer than the period before: of a month of 31 days, 30 are compared with a month of 30. Where the vendor dates by day,
 * they are whole days apart.
 */
export function sameParts(
  { before, since }: { before: number; since: number },
  { until, isDatedByDay = false }: { until: number; isDatedByDay?: boolean | undefined },
): Parts {
  const length = Math.max(0, Math.min(until - since, since - before))
  const apart = isDatedByDay
    ? Math.max(Math.round((since - before) / DAY_MS), Math.ceil(length / DAY_MS)) * DAY_MS
    : Math.ceil(Math.max(since - before, length) / HOUR_MS) * HOUR_MS
  return {
    since,
    until: since + length,
    previousSince: since - apart,
    previousUntil: since - apart + length,
  }
}
