/** How far the window reaches back, in whole UTC days before the current one. */
export const WINDOW_DAYS = 30

const DAY_MS = 86_400_000

/** The first moment of the window. */
export function startOfWindow(nowMs: number): Date {
  return new Date(Math.floor(nowMs / DAY_MS) * DAY_MS - WINDOW_DAYS * DAY_MS)
}
