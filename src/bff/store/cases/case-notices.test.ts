import { afterEach, expect, test, vi } from 'vitest'
import { createCaseNotices } from './case-notices.ts'

afterEach(() => void vi.useRealTimers())

test('applies the first notice at once, and those that follow soon together', () => {
  vi.useFakeTimers()
  const apply = vi.fn()
  const hear = createCaseNotices(apply, 100)
  hear()
  expect(apply).toHaveBeenCalledTimes(1)
  for (let at = 0; at < 5; at++) hear()
  expect(apply).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(100)
  expect(apply).toHaveBeenCalledTimes(2)
  hear()
  vi.advanceTimersByTime(100)
  expect(apply).toHaveBeenCalledTimes(3)
  vi.advanceTimersByTime(1_000)
  expect(apply).toHaveBeenCalledTimes(3)
  hear()
  expect(apply).toHaveBeenCalledTimes(4)
})
