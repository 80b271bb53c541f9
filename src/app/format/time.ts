import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
/** An ISO 8601 text, epoch milliseconds, or nothing. */
export type Instant = string | number | null | undefined

/** Shown for a missing or unreadable value. */
export const ABSENT = '—'

const YEAR_MS = 365.25 * DAY_MS
const MONTH_MS = YEAR_MS / 12

/** Names that browsers give to UTC where they name zones by their offset. */
export const GREENWICH = /GMT(\+0$)?/

const formats = new Map<string, Intl.DateTimeFormat>()

/** `21 Nov 2026, 09:12 UTC`, `21 Nov 2026, 18:12 UTC+9` */
export function exactTime(instant: Instant, timeZone: string): string {
  return format(instant, timeZone, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'shortOffset',
  })
}

/** `09:12 UTC`, for a time of today. */
export function clockTime(instant: Instant, timeZone: string): string {
  return format(instant, timeZone, { hour: '2-digit', minute: '2-digit', timeZoneName: 'shortOffset' })
}

/** `21 Nov 2026` */
export function exactDay(instant: Instant, timeZone: string): string {
  return format(instant, timeZone, { day: 'numeric', month: 'short', year: 'numeric' })
}

/** `just now`, `5 min ago`, `3 h ago`, `12 d ago`, `5 wk ago`, `3 mo ago`, `2 y ago`; still to come: the day. */
export function age(instant: Instant, now: number, timeZone: string): string {
  const elapsed = now - millisecondsOf(instant)
  if (!Number.isFinite(elapsed)) return ABSENT
  if (elapsed < -MINUTE_MS) return exactDay(instant, timeZone)
  if (elapsed < MINUTE_MS) return 'just now'
  if (elapsed < HOUR_MS) return `${Math.floor(elapsed / MINUTE_MS)} min ago`
  if (elapsed < DAY_MS) return `${Math.floor(elapsed / HOUR_MS)} h ago`
  if (elapsed < 30 * DAY_MS) return `${Math.floor(elapsed / DAY_MS)} d ago`
  if (elapsed < 2 * MONTH_MS) return `${Math.floor(elapsed / (7 * DAY_MS))} wk ago`
  if (elapsed < YEAR_MS) return `${Math.floor(elapsed / MONTH_MS)} mo ago`
  return `${Math.floor(elapsed / YEAR_MS)} y ago`
}

/** `42 s`, `5 min`, `3 h 20 min`: how long until something. Past is `0 s`. */
export function duration(milliseconds: number): string {
  const seconds = Number.isFinite(milliseconds) ? Math.max(0, Math.ceil(milliseconds / 1000)) : 0
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const rest = minutes % 60
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`
}

/** `5 min`, `3 h`, `12 d`: whole units, rounded down, of two days or more in days. At least a minute. */
export function roughDuration(milliseconds: number): string {
  if (milliseconds < HOUR_MS) return `${Math.max(1, Math.floor(milliseconds / MINUTE_MS))} min`
  if (milliseconds < 2 * DAY_MS) return `${Math.floor(milliseconds / HOUR_MS)} h`
  return `${Math.floor(milliseconds / DAY_MS)} d`
}

/** `Due in 2 h`, `Overdue by 3 h` */
export function dueWords(leftMs: number): string {
  return leftMs > 0 ? `Due in ${roughDuration(leftMs)}` : `Overdue by ${roughDuration(-leftMs)}`
}

/** NaN for what no date can be read from. */
export function millisecondsOf(instant: Instant): number {
  return instant === null || instant === undefined ? Number.NaN : new Date(instant).getTime()
}

function format(instant: Instant, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  const milliseconds = millisecondsOf(instant)
  if (Number.isNaN(milliseconds)) return ABSENT
  const formatter = formatterOf(timeZone, options) ?? formatterOf('UTC', options)
  return formatter?.format(milliseconds).replace(GREENWICH, 'UTC') ?? ABSENT
}

/** Making one takes 100 times longer than using one. Null for an unknown zone. */
export function formatterOf(
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat | null {
  const key = `${timeZone} ${Object.entries(options)}`
  const known = formats.get(key)
  if (known) return known
  try {
    const formatter = new Intl.DateTimeFormat('en-GB', { ...options, hourCycle: 'h23', timeZone })
    formats.set(key, formatter)
    return formatter
  } catch {
    return null
  }
}
