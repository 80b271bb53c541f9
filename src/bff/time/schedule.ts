import type { QuietHours, Schedule } from '#contract/bff/alert-profile.ts'
import { HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
import { addDays } from './start-of-day.ts'

const SEARCH_MS = 36 * HOUR_MS
const WEEK_DAYS = 7

/** The first moment after another at which a digest is due, epoch milliseconds; null of a profile that sends at once. */
export function nextDigest(schedule: Schedule, timeZone: string, afterMs: number): number | null {
  if (schedule.kind === 'atOnce') return null
  const { hour } = schedule
  const clock = clockOf(timeZone)
  let [day = ''] = clock.format(afterMs).split(' ')
  for (;;) {
    if (schedule.kind === 'daily' || weekdayOf(day) === schedule.weekday) {
      const due = momentOf(`${day} ${String(hour).padStart(2, '0')}:00`, clock)
      if (due > afterMs) return due
    }
    day = addDays(day, 1)
  }
}

/**
 * Returns the start of a time that ends at `since` and is as long as the one from there to `until`, by wall-clock time: a
 * week is seven days, even if the clock changes.
 */
export function startBefore(since: number, until: number, timeZone: string): number {
  const clock = clockOf(timeZone)
  const shown = (epochMs: number) =>
    Date.parse(`${clock.format(epochMs).replace(' ', 'T')}Z`) + (epochMs % MINUTE_MS)
  const start = 2 * shown(since) - shown(until)
  const time = new Date(start).toISOString().slice(0, '2026-03-29T08:00'.length).replace('T', ' ')
  return momentOf(time, clock) + (start % MINUTE_MS)
}

/** Returns true if a moment is within quiet hours, by wall-clock time: from `from` on, before `to`, over midnight too. */
export function isQuiet({ from, to }: QuietHours, timeZone: string, nowMs: number): boolean {
  const [, time = ''] = clockOf(timeZone).format(nowMs).split(' ')
  return from < to ? time >= from && time < to : time >= from || time < to
}

/** It writes moments as `2026-03-29 08:00`. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
}

/**
 * The first moment at which clocks show a time. Where they skip it, it is the moment at which they do; where they show it
 * twice, it is the first of the two.
 */
function momentOf(time: string, clock: Intl.DateTimeFormat): number {
  const asUtc = Date.parse(`${time.replace(' ', 'T')}Z`)
  let before = asUtc - SEARCH_MS
  let notBefore = asUtc + SEARCH_MS
  while (notBefore - before > 1) {
    const middle = Math.floor((before + notBefore) / 2)
    if (clock.format(middle) < time) before = middle
    else notBefore = middle
  }
  return notBefore
}

/** Days count from 1, Monday. */
function weekdayOf(day: string): number {
  return new Date(day).getUTCDay() || WEEK_DAYS
}
