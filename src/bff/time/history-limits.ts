import { DAY_MS } from '#contract/duration.ts'

/** The store keeps so many days of UTC before the current one, 0 for all, and so many of the newest records. */
export type HistoryLimits = { days: number; records: number }

/** Days of UTC before the current one that are read before anything older, at the pace of new records. */
export const FIRST_DAYS = 30

/** The first moment of a UTC day so many days before the current one. */
export function startOfDays(days: number, nowMs: number): Date {
  return new Date(Math.floor(nowMs / DAY_MS) * DAY_MS - days * DAY_MS)
}

/** The first moment that is kept, ISO 8601 UTC. */
export function startOfHistory({ days }: HistoryLimits, nowMs: number): string {
  return (days === 0 ? new Date(0) : startOfDays(days, nowMs)).toISOString()
}
