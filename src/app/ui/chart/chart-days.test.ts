import { expect, test } from 'vitest'
import { aDay, BY_DAY } from '#test/fixtures/chart-fixtures.ts'
import { hasPrevious, stackSeries } from './chart-days.ts'

const day = (count: number | null) => aDay('2026-11-21', count)
const part = (name: string, counts: (number | null)[]) => ({ name, color: 'red', counts })

test('puts what no series counts on top of them', () => {
  const days = [day(5), day(2), day(null)]
  const stacked = stackSeries({ ...BY_DAY, previous: [], days, series: [part('DDoS', [3, 2, null])] })
  expect(stacked.map(({ name, counts }) => [name, counts])).toEqual([
    ['DDoS', [3, 2, null]],
    ['All others', [2, 0, null]],
  ])
})

test('draws no series for other values if the series count all, or more', () => {
  const days = [day(5), day(2)]
  const series = [part('a', [4, 2]), part('b', [3, 0])]
  expect(stackSeries({ ...BY_DAY, previous: [], days, series }).map(({ name }) => name)).toEqual(['a', 'b'])
})

test('draws one bar a day where nothing is split', () => {
  const stacked = stackSeries({ ...BY_DAY, previous: [], days: [day(1), day(null)], series: [] })
  expect(stacked.map(({ counts }) => counts)).toEqual([[1, null]])
})

test('compares with the days before only where one of them is known', () => {
  expect(hasPrevious([day(null), day(0)])).toBe(true)
  expect(hasPrevious([day(null)])).toBe(false)
})
