import { expect, test } from 'vitest'
import type { TrendDay } from '#contract/bff/trend.ts'
import { forecastWeek } from './forecast.ts'

function toDays(counts: readonly number[], coverage: TrendDay['coverage'] = 'whole'): TrendDay[] {
  const at = '2026-03-01T00:00:00.000Z'
  return counts.map((count) => ({ date: '2026-03-01', from: at, to: at, coverage, count }))
}

test('expects seven times the daily mean, with a wider range for more variable days', () => {
  const calm = forecastWeek(toDays(Array.from({ length: 28 }, () => 10)))
  expect(calm).toEqual({ perWeek: 70, low: 58, high: 82, basedOnDays: 28 })
  const wild = forecastWeek(toDays(Array.from({ length: 28 }, (_, at) => (at % 2) * 20)))
  expect(wild?.perWeek).toBe(70)
  expect(wild?.low).toBeLessThan(40)
  expect(wild?.high).toBeGreaterThan(100)
})

test('a campaign that fills one week of four widens the range as much as the weeks differ', () => {
  const campaign = forecastWeek(toDays(Array.from({ length: 28 }, (_, at) => (at >= 7 && at < 14 ? 10 : 0))))
  const scattered = forecastWeek(toDays(Array.from({ length: 28 }, (_, at) => (at % 4 === 0 ? 10 : 0))))
  expect(campaign?.perWeek).toBe(scattered?.perWeek)
  expect(campaign?.high).toBeGreaterThan(65)
  expect(scattered?.high).toBeLessThan(40)
})

test('the range never ends at zero, and never begins below zero', () => {
  expect(forecastWeek(toDays(Array.from({ length: 29 }, () => 0)))).toEqual({
    perWeek: 0,
    low: 0,
    high: 0.7,
    basedOnDays: 29,
  })
})

test('uses only complete days, and requires at least three', () => {
  expect(forecastWeek([...toDays([1, 2]), ...toDays([90], 'partial')])).toBeNull()
  expect(forecastWeek([...toDays([2, 2, 2]), ...toDays([90], 'partial')])).toMatchObject({ perWeek: 14 })
})

test('the range contains eight of ten weeks of random arrivals', () => {
  let state = 11
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
  /** Arrivals of a day whose mean is 3. */
  const drawDay = () => {
    let count = 0
    for (let left = random(); left > Math.exp(-3); left *= random()) count++
    return count
  }
  let caught = 0
  const rounds = 2_000
  for (let round = 0; round < rounds; round++) {
    const forecast = forecastWeek(toDays(Array.from({ length: 29 }, drawDay)))
    const week = Array.from({ length: 7 }, drawDay).reduce((sum, count) => sum + count, 0)
    if (forecast && week >= forecast.low && week <= forecast.high) caught++
  }
  expect(caught / rounds).toBeGreaterThan(0.76)
  expect(caught / rounds).toBeLessThan(0.88)
})
