import { expect, test } from 'vitest'
import { storedDays } from './stored-days.ts'

const daysOf = (...runs: [number, 'whole' | 'partial' | 'unknown'][]) =>
  runs.flatMap(([length, coverage]) => Array.from({ length }, () => ({ coverage })))

test.each([
  [daysOf([29, 'whole'], [1, 'partial']), 'the last 30 days'],
  // After midnight, before anything was read.
  [daysOf([28, 'whole'], [1, 'partial'], [1, 'unknown']), 'the last 30 days'],
  [daysOf([27, 'whole'], [1, 'partial'], [2, 'unknown']), 'the 28 days stored'],
  [daysOf([1, 'partial'], [28, 'whole'], [1, 'partial']), 'the 29 days stored'],
  // The last 7 times 24 hours are 6 days, and parts of two.
  [daysOf([22, 'unknown'], [1, 'partial'], [6, 'whole'], [1, 'partial']), 'the 7 days stored'],
  [daysOf([28, 'unknown'], [1, 'whole'], [1, 'unknown']), 'the day stored'],
  [daysOf([28, 'unknown'], [2, 'partial']), 'the hours stored'],
  [daysOf([30, 'unknown']), 'the last 30 days'],
])('says of what the counts are', (days, words) => {
  expect(storedDays(days)).toBe(words)
})

test('has a shorter name for all of them where there is little room', () => {
  expect(storedDays(daysOf([30, 'whole']), '30 days')).toBe('30 days')
})
