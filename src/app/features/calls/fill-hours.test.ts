import { expect, test } from 'vitest'
import { fillHours } from './fill-hours.ts'

test('draws a quiet hour as zero, and adds up the route sets', () => {
  const hours = fillHours([
    { hour: 3, set: 'v1', calls: 4 },
    { hour: 3, set: 'earlier', calls: 1 },
    { hour: 23, set: 'v1', calls: 2 },
  ])
  expect(hours).toHaveLength(24)
  expect(hours.at(0)).toEqual({ hour: 0, v1: 0, earlier: 0, total: 0 })
  expect(hours.at(3)).toEqual({ hour: 3, v1: 4, earlier: 1, total: 5 })
  expect(hours.at(23)).toEqual({ hour: 23, v1: 2, earlier: 0, total: 2 })
})
