import { isTimeZone } from './time.ts'

/** All zones that the browser knows, UTC first and the reader's own second. */
export function timeZones(): string[] {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  return [...new Set(['UTC', own, ...Intl.supportedValuesOf('timeZone')])].filter(isTimeZone)
}

/** The zones whose name holds every word of the query, whatever stands between. */
export function findTimeZones(zones: readonly string[], query: string): string[] {
  const words = fold(query).split(' ').filter(Boolean)
  return zones.filter((zone) => words.every((word) => fold(zone).includes(word)))
}

/** `UTC+05:45`, at the given time. */
export function offsetOf(timeZone: string, at: number): string {
  if (!isTimeZone(timeZone)) return ''
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at)
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '')
  return `UTC${offset || '+00:00'}`
}

function fold(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9+]+/g, ' ')
    .trim()
}
