import { expect, test } from 'vitest'
import { aTrendAnswer } from '#test/fixtures/trend-fixtures.ts'
import { compareWholeDays } from './compare-whole-days.ts'

test('leaves out today, which is not over, and the day that stands for it before', () => {
  expect(compareWholeDays(aTrendAnswer({ days: 61, count: 4 }).trend)).toEqual({ count: 116, previous: 116 })
})

test('compares nothing where the days before are not all whole', () => {
  expect(compareWholeDays(aTrendAnswer({ days: 60 }).trend)).toBeNull()
  expect(compareWholeDays(aTrendAnswer({ days: 10 }).trend)).toBeNull()
  expect(compareWholeDays(aTrendAnswer({ days: 0 }).trend)).toBeNull()
})
