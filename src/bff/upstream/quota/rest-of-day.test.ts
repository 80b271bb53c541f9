import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import { propertyRuns } from '#test/support/property-runs.ts'
import { restOfDay, timeOfRest } from './rest-of-day.ts'

const MIDNIGHT_MS = Date.parse('2026-03-11T00:00:00Z')
const OFFICE = new Map([8, 9, 10, 11, 12, 13, 14, 15].map((hour) => [hour, 3]))
const restAt = (time: string, usual = OFFICE) =>
  restOfDay(Date.parse(`2026-03-10T${time}:00Z`), MIDNIGHT_MS, usual)

test('is proportional to the time while no usual hours are known', () => {
  expect(restAt('00:00', new Map())).toBe(1)
  expect(restAt('18:00', new Map())).toBe(0.25)
})

test('counts the usual hours of people four times', () => {
  // 8 hours that count four times, and 16 others: 48 in all.
  expect(restAt('00:00')).toBe(1)
  expect(restAt('08:00')).toBeCloseTo(40 / 48)
  expect(restAt('12:30')).toBeCloseTo((3.5 * 4 + 8) / 48)
  expect(restAt('16:00')).toBeCloseTo(8 / 48)
  expect(restAt('24:00')).toBe(0)
})

test('is followed back to its time, wherever a day ends', () => {
  const hours = fc.uniqueArray(fc.integer({ min: 0, max: 23 }))
  const beforeEnd = fc.integer({ min: 0, max: DAY_MS })
  fc.assert(
    fc.property(hours, beforeEnd, fc.integer({ min: 0, max: DAY_MS }), (usual, msBefore, endsAfter) => {
      const [endMs, known] = [MIDNIGHT_MS + endsAfter, new Map(usual.map((hour) => [hour, 1]))]
      const fromMs = endMs - msBefore
      expect(timeOfRest(restOfDay(fromMs, endMs, known), endMs, known)).toBeCloseTo(fromMs, 0)
    }),
    propertyRuns(100),
  )
})

test('is bounded by the start and the end of the day', () => {
  expect(timeOfRest(0, MIDNIGHT_MS, OFFICE)).toBe(MIDNIGHT_MS)
  expect(timeOfRest(1, MIDNIGHT_MS, OFFICE)).toBe(MIDNIGHT_MS - DAY_MS)
  expect(restOfDay(MIDNIGHT_MS, MIDNIGHT_MS - HOUR_MS, OFFICE)).toBe(0)
})

test('is a whole day at most, however far away a vendor says that its end is', () => {
  expect(restOfDay(MIDNIGHT_MS, Number.MAX_SAFE_INTEGER, OFFICE)).toBe(1)
  expect(timeOfRest(Number.POSITIVE_INFINITY, MIDNIGHT_MS, OFFICE)).toBe(MIDNIGHT_MS - DAY_MS)
})
