import { expect, test } from 'vitest'
import { fillDays } from './fill-days.ts'

test('keeps a gap for each day that was not reported', () => {
  const reported = [
    { date: '2026-02-27', count: 3 },
    { date: '2026-03-01', count: 0 },
    { date: '2026-03-02', count: 5 },
  ]
  expect(fillDays(reported)).toEqual([
    { date: '2026-02-27', count: 3 },
    { date: '2026-02-28', count: null },
    { date: '2026-03-01', count: 0 },
    { date: '2026-03-02', count: 5 },
  ])
  expect(fillDays([])).toEqual([])
})

test('shows the newest part of a time that is too long to draw', () => {
  const days = fillDays([
    { date: '1970-01-01', count: 1 },
    { date: '2026-03-02', count: 5 },
  ])
  expect(days).toHaveLength(400)
  expect(days.at(-1)).toEqual({ date: '2026-03-02', count: 5 })
})
