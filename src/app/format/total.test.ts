import { expect, test } from 'vitest'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { clipText } from './clip-text.ts'
import { count, countOf } from './count.ts'
import { countryName } from './country-name.ts'
import { age, clockTime, duration, exactDay, exactTime } from './time.ts'
import { offsetOf } from './time-zones.ts'

const UNREADABLE = /NaN|Invalid|undefined|null|Infinity|\[object/

const NUMBERS = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  -0,
  -1,
  8.64e15,
  8.64e15 + 1,
  -8.64e15,
  1e21,
  5e-324,
  Number.MAX_SAFE_INTEGER,
]
const TEXTS = [
  ...Object.entries(NASTY_STRINGS).flatMap(([kind, text]) => (UNREADABLE.test(text) ? [] : [kind, text])),
  '2026-02-31T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  '0000-00-00',
  '1',
]
const ZONES = ['UTC', 'Asia/Kathmandu', 'Atlantis/Capital', '', '__proto__', '\ud800', '+99:99']

test('no formatter throws or returns invalid text, with any value', () => {
  for (const value of [...NUMBERS, ...TEXTS, null, undefined]) {
    for (const zone of ZONES) {
      for (const formatted of [
        exactTime(value, zone),
        exactDay(value, zone),
        clockTime(value, zone),
        age(value, Date.UTC(2026, 0, 1), zone),
        age(Date.UTC(2026, 0, 1), typeof value === 'number' ? value : 0, zone),
      ]) {
        expect(formatted).not.toBe('')
        expect(formatted).not.toMatch(UNREADABLE)
      }
    }
  }
  for (const value of NUMBERS) {
    expect(`${duration(value)} ${count(value)} ${countOf(value, 'threat')}`).not.toMatch(UNREADABLE)
  }
  for (const text of TEXTS) {
    expect(countryName(text)).toBe(text)
    expect(offsetOf(text, 0)).toBe('')
    expect(clipText(text, 3).length).toBeLessThanOrEqual(3)
  }
})

test('says how old something is in one small unit', () => {
  const now = Date.parse('2026-03-10T12:00:00Z')
  const ageAt = (at: string) => age(at, now, 'UTC')

  expect(ageAt('2026-03-10T11:59:40Z')).toBe('just now')
  expect(ageAt('2026-03-10T11:01:00Z')).toBe('59 min ago')
  expect(ageAt('2026-03-10T08:30:00Z')).toBe('3 h ago')
  expect(ageAt('2026-03-08T11:00:00Z')).toBe('2 d ago')
  expect(ageAt('2026-02-03T11:00:00Z')).toBe('5 wk ago')
  expect(ageAt('2025-12-24T11:00:00Z')).toBe('2 mo ago')
  expect(ageAt('2025-03-12T11:00:00Z')).toBe('11 mo ago')
  expect(ageAt('2024-03-09T11:00:00Z')).toBe('2 y ago')
  expect(ageAt('2026-03-11T11:00:00Z')).toBe('11 Mar 2026')
})

test('shows a time in the zone of the reader, and names it', () => {
  expect(exactTime('2026-07-01T23:30:00Z', 'UTC')).toBe('1 Jul 2026, 23:30 UTC')
  expect(exactTime('2026-07-01T23:30:00Z', 'Europe/Berlin')).toBe('2 Jul 2026, 01:30 UTC+2')
  expect(exactTime('2026-07-01T23:30:00Z', 'Asia/Kathmandu')).toBe('2 Jul 2026, 05:15 UTC+5:45')
  expect(exactDay('2026-07-01T23:30:00Z', 'Asia/Tokyo')).toBe('2 Jul 2026')
})

test('says how long a wait is', () => {
  expect(duration(41_200)).toBe('42 s')
  expect(duration(300_000)).toBe('5 min')
  expect(duration(12_000_000)).toBe('3 h 20 min')
})

test('names countries', () => {
  expect(countryName('DE')).toBe('Germany')
  expect(countryName('XX')).toBe('XX')
})

test('groups the digits of counts', () => {
  expect(count(1234567)).toBe('1,234,567')
  expect(countOf(1, 'threat')).toBe('1 threat')
  expect(countOf(0, 'country', 'countries')).toBe('0 countries')
})
