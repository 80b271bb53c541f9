import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import { propertyRuns } from '#test/support/property-runs.ts'
import { calendarOf } from './periods.ts'
import { startOfDay } from './start-of-day.ts'

const UP_TO_NOW = ['7d', '30d', '90d', '12m'] as const
const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
const moments = fc.integer({ min: Date.parse('2011-12-01'), max: Date.parse('2029-01-01') })
const names = fc.oneof(
  fc.constantFrom(...UP_TO_NOW),
  fc
    .tuple(fc.integer({ min: 2009, max: 2011 }), fc.integer({ min: 1, max: 11 }))
    .map(([year, month]) => `${year}-${String(month).padStart(2, '0')}`),
  fc
    .tuple(fc.integer({ min: 2009, max: 2011 }), fc.integer({ min: 1, max: 4 }))
    .map(([year, quarter]) => `${year}-Q${quarter}`),
)

test('intervals tile the period and the one before, in every zone and on every day', () => {
  const tiles = fc.property(names, zones, moments, (name, timeZone, nowMs) => {
    const { intervals, previous, before, start, end, week, todayEnd, from, to } = calendarOf(
      name,
      timeZone,
      nowMs,
    )
    expect([intervals[0]?.start, intervals[0]?.date]).toEqual([start, from])
    expect(intervals.at(-1)?.end).toBe(end)
    expect(previous[0]?.start).toBe(before)
    expect(previous.at(-1)?.end).toBeLessThanOrEqual(start)
    expect(previous.length).toBeLessThanOrEqual(intervals.length)
    for (const some of [intervals, previous]) {
      for (const [at, { date, start: own }] of some.entries()) {
        expect(own).toBe(startOfDay(date, timeZone))
        expect(some[at + 1]?.start ?? some[at]?.end).toBe(some[at]?.end)
      }
    }
    expect(from <= to).toBe(true)
    expect(end).toBeLessThanOrEqual(todayEnd)
    expect(nowMs).toBeLessThan(todayEnd)
    // Clocks move the bounds of a week by some hours; Samoa left out a day.
    expect(Math.abs(week.start - week.before - 7 * DAY_MS)).toBeLessThanOrEqual(DAY_MS)
  })
  fc.assert(tiles, {
    ...propertyRuns(200),
    examples: [
      ['12m', 'Europe/Berlin', Date.parse('2024-02-29T12:00:00Z')],
      ['2011-Q4', 'Pacific/Apia', Date.parse('2011-12-31T12:00:00Z')],
      ['30d', 'America/Los_Angeles', Date.parse('2026-11-01T09:17:00Z')],
      ['90d', 'Australia/Lord_Howe', Date.parse('2026-04-04T15:30:00Z')],
    ],
  })
})

test('a period of days is as long as the one before', () => {
  const equal = fc.property(fc.constantFrom('7d', '30d', '90d'), zones, moments, (name, timeZone, nowMs) => {
    const { intervals, previous, before, start, end } = calendarOf(name, timeZone, nowMs)
    expect(intervals).toHaveLength(previous.length)
    expect(Math.abs(end - start - (start - before))).toBeLessThanOrEqual(DAY_MS + 2 * HOUR_MS)
  })
  fc.assert(equal, propertyRuns(100))
})

const NOON = Date.parse('2026-11-24T12:00:00Z')
const lengths = (name: string, nowMs = NOON) => {
  const { intervals, previous, unit, from, to, isRunning } = calendarOf(name, 'UTC', nowMs)
  const daysOf = (some: typeof intervals) => some.map(({ start, end }) => (end - start) / DAY_MS)
  return { unit, from, to, isRunning, days: daysOf(intervals), previous: daysOf(previous) }
}
const WEEKS = (count: number) => Array.from({ length: count }, () => 7)

test('90 days are weeks that end with the last 7 days', () => {
  expect(lengths('90d')).toEqual({
    unit: 'week',
    from: '2026-08-27',
    to: '2026-11-24',
    isRunning: true,
    days: [6, ...WEEKS(12)],
    previous: [6, ...WEEKS(12)],
  })
})

test('12 months are calendar months, the current one up to today, in leap years, too', () => {
  const { unit, from, to, days, previous } = lengths('12m', Date.parse('2025-01-15T12:00:00Z'))
  expect([unit, from, to]).toEqual(['month', '2024-02-01', '2025-01-15'])
  expect(days).toEqual([29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 15])
  expect(previous).toEqual([28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31])
})

test('a past month has all its days, and compares with at most as many days before', () => {
  const { isRunning, from, to, days, previous } = lengths('2026-10')
  expect([isRunning, from, to, days.length, previous.length]).toEqual([
    false,
    '2026-10-01',
    '2026-10-31',
    31,
    30,
  ])
  expect(lengths('2026-03').previous).toHaveLength(28)
  expect(lengths('2026-09').previous).toHaveLength(30)
})

test('a month and a quarter that run go up to today', () => {
  const month = lengths('2026-11')
  expect([month.isRunning, month.to, month.days.length, month.previous.length]).toEqual([
    true,
    '2026-11-24',
    24,
    24,
  ])
  expect(lengths('2026-Q4')).toEqual({
    unit: 'week',
    from: '2026-10-01',
    to: '2026-11-24',
    isRunning: true,
    days: [...WEEKS(7), 6],
    previous: WEEKS(8),
  })
})

test('splits a past quarter into weeks, and adds a single last day to the last week', () => {
  expect(lengths('2026-Q3').days).toEqual([...WEEKS(12), 8])
  expect(lengths('2026-Q1')).toMatchObject({ from: '2026-01-01', to: '2026-03-31', days: [...WEEKS(12), 6] })
})
