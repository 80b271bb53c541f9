import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/duration.ts'
import { addDays, firstDayOf, startOfDay, startsOfDays } from './start-of-day.ts'

test.each([
  ['2026-03-10', 'UTC', '2026-03-10T00:00:00.000Z'],
  ['2026-03-10', 'Europe/Berlin', '2026-03-09T23:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-03-10', 'Asia/Kathmandu', '2026-03-09T18:15:00.000Z'],
  ['2026-03-10', 'Pacific/Kiritimati', '2026-03-09T10:00:00.000Z'],
  ['2026-03-10', 'Etc/GMT+12', '2026-03-10T12:00:00.000Z'],
  // Clocks went from 00:00 to 01:00.
  ['2017-10-15', 'America/Sao_Paulo', '2017-10-15T03:00:00.000Z'],
  // There was no such day: the next one began.
  ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ['1999-12-31', 'America/New_York', '1999-12-31T05:00:00.000Z'],
])('%s in %s begins at %s', (day, timeZone, expected) => {
  expect(new Date(startOfDay(day, timeZone)).toISOString()).toBe(expected)
})

test.each([
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
])('finds each of many days in %s where it finds it alone', (timeZone) => {
  // A year in which Brazil skips a midnight, and the one in which Samoa skips a day.
  for (const first of ['2017-01-01', '2011-06-01']) {
    const days = Array.from({ length: 365 }, (_, at) => toDay(Date.parse(first) + at * DAY_MS))
    const alone = days.map((day) => startOfDay(day, timeZone))
    expect(startsOfDays(days, timeZone)).toEqual(alone)
  }
})

test.each([
  ['2026-02-28', '2026-03-01'],
  ['2028-02-28', '2028-02-29'],
  ['2026-12-31', '2027-01-01'],
])('after %s comes %s', (day, next) => {
  expect(addDays(day, 1)).toBe(next)
})

test.each([
  [1, 'UTC', '2026-03-01'],
  [7, 'UTC', '2026-02-23'],
  [1, 'Asia/Tokyo', '2026-03-02'],
  [1, 'America/Los_Angeles', '2026-03-01'],
])('the first of %d days up to now is in %s the %s', (days, timeZone, expected) => {
  expect(firstDayOf(days, timeZone, Date.parse('2026-03-01T23:30:00Z'))).toBe(expected)
})

function toDay(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10)
}
