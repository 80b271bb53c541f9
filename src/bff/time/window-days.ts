import { DAY_MS } from '#contract/duration.ts'
/** How far back the window is filled from a vendor, whose calls are scarce, in whole UTC days before the current one. */
export const FILLED_DAYS = 30
/** How long records are kept, so that the 30 days before the last 30 become known: also as long as calls cost nothing. */
export const KEPT_DAYS = 61

/** The first moment of a UTC day so many days before the current one. */
export function startOfDays(days: number, nowMs: number): Date {
  return new Date(Math.floor(nowMs / DAY_MS) * DAY_MS - days * DAY_MS)
}
