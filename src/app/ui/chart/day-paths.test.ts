import { expect, test } from 'vitest'
import { stackSeries } from './chart-days.ts'
import { someDays } from './chart-fixtures.ts'
import { barPaths, type DayPlaces, previousPaths } from './day-paths.ts'

/** Days 100 wide, the first from 100 on; a count is a pixel above 500. */
const places: DayPlaces = {
  xOf(date) {
    const start = 100 * Number(date.slice(-2))
    return { start, end: start + 100 }
  },
  yOf: (count) => 500 - count,
}

function draw(days = someDays(), counts?: (number | null)[]) {
  const series = counts ? [{ name: 'DDoS', color: 'red', counts }] : []
  return barPaths(days, stackSeries({ days, previous: [], series }), places)
}

test('draws a bar from the foot up for each whole day, and nothing for a quiet or an unknown one', () => {
  const { parts, feet, hatched } = draw(someDays(20, 0, null, 2))
  expect(parts.map(({ d }) => d)).toEqual(['M108 500v-19h84v19zM408 500v-2h84v2z'])
  expect([feet, hatched]).toEqual(['', ''])
})

test('puts part upon part', () => {
  const { parts } = draw(someDays(50, 10), [30, 10])
  expect(parts).toEqual([
    { color: 'red', d: 'M108 500v-29h84v29zM208 500v-9h84v9z' },
    { color: 'var(--color-series-rest)', d: 'M108 470v-19h84v19z' },
  ])
})

test('hatches all of a day that is known in part, and gives it a foot where it holds nothing so far', () => {
  const { parts, feet, hatched } = draw(someDays(9, [40, 'partial'], [0, 'partial']), [9, 10, 0])
  expect(parts.at(-1)?.d).toBe('M208 490v-29h84v29z')
  expect(feet).toBe('M308 500v-4h84v4z')
  expect(hatched).toBe('M208 500v-40h84v40zM308 500v-4h84v4z')
})

test('draws the days before as steps, broken where nobody knows them, apart where they are known in part', () => {
  const days = someDays(1, 1, 1, 1, 1)
  const before = previousPaths(days, someDays([30, 'partial'], 20, null, 0, 10), places)
  expect(before.area).toBe(
    'M100 500V470H200V500zM200 500V480H300V500zM400 500V500H500V500zM500 500V490H600V500z',
  )
  expect(before.hatched).toBe('M100 500V470H200V500z')
  expect(before.edge).toBe('M100 470M200 470V480H300M400 500H500V490H600')
  expect(before.partialEdge).toBe('M100 470H200')
})

test('draws no days before where there are none', () => {
  expect(previousPaths(someDays(1), [], places)).toEqual({ area: '', hatched: '', edge: '', partialEdge: '' })
})
