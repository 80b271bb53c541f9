import { expect, test } from 'vitest'
import { storedDays } from './stored-days.ts'

const since = (from: string | null) => ({ covers: { from, to: from && '2026-11-21T12:00:00.000Z' } })

test.each([
  ['2026-09-21T00:00:00.000Z', 'the last 30 days'],
  // The oldest record that the plan gives is seldom 30 days old to the second.
  ['2026-10-22T15:00:00.000Z', 'the last 30 days'],
  ['2026-10-23T12:00:00.000Z', 'the 29 days stored'],
  ['2026-11-14T12:40:00.000Z', 'the 7 days stored'],
  ['2026-11-20T08:00:00.000Z', 'the day stored'],
  ['2026-11-21T08:00:00.000Z', 'the hours stored'],
  [null, 'the last 30 days'],
])('calls what is stored since %s %s', (from, words) => {
  expect(storedDays(since(from))).toBe(words)
})

test('has a shorter name for all of them where there is little room', () => {
  expect(storedDays(since(null), '30 days')).toBe('30 days')
})
