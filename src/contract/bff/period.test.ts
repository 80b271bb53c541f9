import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '#test/support/property-runs.ts'
import {
  firstMonthOf,
  periodPhrase,
  periodTitle,
  previousPhrase,
  readPeriodName,
  shiftPeriod,
} from './period.ts'

const TODAY = '2026-11-24'

test.each(['7d', '30d', '90d', '12m', '2026-11', '2026-10', '2026-Q4', '1999-01'])('reads %s', (text) => {
  expect(readPeriodName(text, TODAY)).toBe(text)
})

test.each([
  '2026-13',
  '2026-00',
  'foo',
  '',
  '31d',
  '2026-Q5',
  '2026-Q0',
  '2026-q3',
  '2026-1',
  '26-10',
  ' 30d',
  '2026-10-01',
  '2026-10\n',
  '0999-10',
])('reads no period from "%s"', (text) => {
  expect(readPeriodName(text, TODAY)).toBeNull()
})

test.each(['2026-12', '2027-01', '2027-Q1'])('reads no period from %s, which is still to come', (text) => {
  expect(readPeriodName(text, TODAY)).toBeNull()
})

test.each([
  ['30d', 'Last 30 days', 'the last 30 days', 'the 30 days before'],
  ['12m', 'Last 12 months', 'the last 12 months', 'the 12 months before'],
  ['2026-10', 'October 2026', 'October 2026', 'September 2026'],
  ['2026-01', 'January 2026', 'January 2026', 'December 2025'],
  ['2026-Q1', 'Q1 2026', 'Q1 2026', 'Q4 2025'],
])('names %s and the time before it', (name, title, phrase, previous) => {
  expect([periodTitle(name), periodPhrase(name), previousPhrase(name)]).toEqual([title, phrase, previous])
})

test('the month or quarter after the one before is the same again', () => {
  const years = fc.integer({ min: 1901, max: 2198 })
  const named = fc.oneof(
    fc
      .tuple(years, fc.integer({ min: 1, max: 12 }))
      .map(([year, month]) => `${year}-${`${month}`.padStart(2, '0')}`),
    fc.tuple(years, fc.integer({ min: 1, max: 4 })).map(([year, quarter]) => `${year}-Q${quarter}`),
  )
  fc.assert(
    fc.property(named, (name) => {
      const before = shiftPeriod(name, -1) ?? ''
      expect(shiftPeriod(before, 1)).toBe(name)
      expect(readPeriodName(before, '2199-12-31')).toBe(before)
      expect((firstMonthOf(before) ?? '') < (firstMonthOf(name) ?? '')).toBe(true)
    }),
    propertyRuns(200),
  )
})

test('has no step from a period up to now', () => {
  expect([shiftPeriod('30d', -1), shiftPeriod('12m', 1), firstMonthOf('7d')]).toEqual([null, null, null])
})
