/** Ranges up to now: their last day stays open, because only one of the two route sets can close it. */
export const DAY_RANGES = [
  { label: 'Today', days: 1 },
  { label: '7 days', days: 7 },
  { label: '30 days', days: 30 },
] as const

/** The first of that many days up to now, in a zone: `2026-11-21`. */
export function firstDayOf(days: number, now: number, timeZone: string): string {
  const today = formatIn(timeZone).format(now)
  const first = new Date(`${today}T00:00:00Z`)
  first.setUTCDate(first.getUTCDate() - days + 1)
  return first.toISOString().slice(0, 10)
}

let last: { timeZone: string; format: Intl.DateTimeFormat } | null = null

/** Kept, since making one takes some milliseconds. */
function formatIn(timeZone: string): Intl.DateTimeFormat {
  // The Swedish way of writing a date is ISO 8601.
  if (last?.timeZone !== timeZone) last = { timeZone, format: new Intl.DateTimeFormat('sv-SE', { timeZone }) }
  return last.format
}
