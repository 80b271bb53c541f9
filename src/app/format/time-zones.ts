import { formatterOf, GREENWICH } from './time.ts'

// Browsers list some cities by names of long ago, and understand the ones of today.
const NAMES_OF_TODAY = new Map([
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Godthab', 'America/Nuuk'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
])

/** The zone of the browser's device. */
export function ownTimeZone(): string {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  return NAMES_OF_TODAY.get(own) ?? own
}

/** All zones that the browser knows, UTC first and the reader's own second. */
export function timeZones(): string[] {
  const names = ['UTC', ownTimeZone(), ...Intl.supportedValuesOf('timeZone')]
  const known = new Set(names.map((name) => NAMES_OF_TODAY.get(name) ?? name))
  return [...known].filter((name) => formatterOf(name, {}) !== null)
}

/** The zones whose name has every word of the query, whatever stands between. */
export function findTimeZones(zones: readonly string[], query: string): string[] {
  const words = fold(query).split(' ').filter(Boolean)
  return zones.filter((zone) => words.every((word) => fold(zone).includes(word)))
}

/** `UTC+5:45`, at the given time. */
export function offsetOf(timeZone: string, at: number): string {
  const parts = formatterOf(timeZone, { timeZoneName: 'shortOffset' })?.formatToParts(at)
  const offset = parts?.find(({ type }) => type === 'timeZoneName')?.value.replace(GREENWICH, 'UTC')
  return offset ?? ''
}

function fold(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9+]+/g, ' ')
    .trim()
}
