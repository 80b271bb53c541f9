import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Schedule } from '#contract/bff/alert-profile.ts'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import { propertyRuns } from '#test/support/property-runs.ts'
import { isQuiet, nextDigest, startBefore } from './schedule.ts'

const iso = (epochMs: number | null) => epochMs && new Date(epochMs).toISOString()
const next = (schedule: Schedule, timeZone: string, after: string) =>
  iso(nextDigest(schedule, timeZone, Date.parse(after)))

test.each([
  ['a day of 24 hours', 'Europe/Berlin', 8, '2026-11-26T07:00:00Z', '2026-11-27T07:00:00.000Z'],
  ['a moment before it', 'Europe/Berlin', 8, '2026-11-27T06:59:59.999Z', '2026-11-27T07:00:00.000Z'],
  ['clocks that skip the hour', 'Europe/Berlin', 2, '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
  ['clocks that show the hour twice', 'Europe/Berlin', 2, '2026-10-24T12:00:00Z', '2026-10-25T00:00:00.000Z'],
  ['the second of the two', 'Europe/Berlin', 2, '2026-10-25T00:00:00Z', '2026-10-26T01:00:00.000Z'],
  ['a skipped hour in New York', 'America/New_York', 2, '2026-03-08T00:00:00Z', '2026-03-08T07:00:00.000Z'],
  ['a doubled hour in New York', 'America/New_York', 1, '2026-11-01T00:00:00Z', '2026-11-01T05:00:00.000Z'],
  ['clocks that skip midnight', 'America/Sao_Paulo', 0, '2017-10-14T12:00:00Z', '2017-10-15T03:00:00.000Z'],
])('a daily digest is due once: %s', (_, timeZone, hour, after, due) => {
  expect(next({ kind: 'daily', hour }, timeZone, after)).toBe(due)
})

test('a weekly digest is due on its day, by the zone of the profile', () => {
  const monday: Schedule = { kind: 'weekly', weekday: 1, hour: 8 }
  expect(next(monday, 'Europe/Berlin', '2026-11-27T05:00:00Z')).toBe('2026-11-30T07:00:00.000Z')
  expect(next(monday, 'Europe/Berlin', '2026-11-30T07:00:00Z')).toBe('2026-12-07T07:00:00.000Z')
  // It is Monday in Kiritimati already.
  expect(next({ ...monday, hour: 0 }, 'Pacific/Kiritimati', '2026-11-29T09:00:00Z')).toBe(
    '2026-11-29T10:00:00.000Z',
  )
  expect(nextDigest({ kind: 'atOnce', quiet: null }, 'UTC', 0)).toBeNull()
})

const zone = fc.constantFrom(
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Chatham'],
)
const hour = fc.integer({ min: 0, max: 23 })
const moment = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2030, 0) })

test('digests follow each other by one calendar day, or one week, whatever clocks do', () => {
  fc.assert(
    fc.property(
      zone,
      hour,
      fc.option(fc.integer({ min: 1, max: 7 })),
      moment,
      (timeZone, at, weekday, from) => {
        const schedule: Schedule =
          weekday === null ? { kind: 'daily', hour: at } : { kind: 'weekly', weekday, hour: at }
        const days = weekday === null ? 1 : 7
        const first = nextDigest(schedule, timeZone, from) ?? 0
        const second = nextDigest(schedule, timeZone, first) ?? 0
        expect(first).toBeGreaterThan(from)
        expect(first - from).toBeLessThanOrEqual(days * DAY_MS + HOUR_MS)
        expect(Math.abs(second - first - days * DAY_MS)).toBeLessThanOrEqual(HOUR_MS)
        // Any moment before it is due gives the same.
        expect(nextDigest(schedule, timeZone, first - 1)).toBe(first)
      },
    ),
    propertyRuns(200),
  )
})

test.each([
  [
    'the week in which clocks skip an hour',
    '2026-03-23T07:00:00.250Z',
    '2026-03-30T06:00:00Z',
    '2026-03-16T07:00:00.500Z',
  ],
  ['the week after it', '2026-03-30T06:00:00Z', '2026-04-06T06:00:00Z', '2026-03-23T07:00:00.000Z'],
  [
    'the week in which they repeat one',
    '2026-10-19T06:00:00Z',
    '2026-10-26T07:00:00Z',
    '2026-10-12T06:00:00.000Z',
  ],
  ['the week after it', '2026-10-26T07:00:00Z', '2026-11-02T07:00:00Z', '2026-10-19T06:00:00.000Z'],
  [
    'the day in which they skip an hour',
    '2026-03-28T07:00:00Z',
    '2026-03-29T06:00:00Z',
    '2026-03-27T07:00:00.000Z',
  ],
])('%s is compared with as many days before', (_, since, until, before) => {
  expect(iso(startBefore(Date.parse(since), Date.parse(until), 'Europe/Berlin'))).toBe(before)
})

test.each([
  ['22:00', '07:00', '2026-11-26T21:00:00Z', true],
  ['22:00', '07:00', '2026-11-26T20:59:59Z', false],
  ['22:00', '07:00', '2026-11-27T05:59:59Z', true],
  ['22:00', '07:00', '2026-11-27T06:00:00Z', false],
  ['12:00', '13:30', '2026-11-27T12:29:59Z', true],
  ['12:00', '13:30', '2026-11-27T12:30:00Z', false],
  // Clocks go from 02:00 to 03:00, and from 03:00 back to 02:00.
  ['01:00', '02:30', '2026-03-29T01:00:00Z', false],
  ['02:30', '05:00', '2026-03-29T01:00:00Z', true],
  ['02:00', '03:00', '2026-10-25T01:59:59Z', true],
])('quiet hours from %s to %s at %s in Berlin: %s', (from, to, at, quiet) => {
  expect(isQuiet({ from, to, isCriticalAtOnce: false }, 'Europe/Berlin', Date.parse(at))).toBe(quiet)
})
