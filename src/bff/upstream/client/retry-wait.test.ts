import { expect, test } from 'vitest'
import { readEpochMs, readResetWait, readRetryWait, type WaitHints } from './retry-wait.ts'

const nowMs = Date.parse('2026-03-10T12:00:00Z')
const none: WaitHints = {
  retryAfterField: undefined,
  retryAfterHeader: undefined,
  resetHeader: undefined,
  message: null,
  nowMs,
}

/** Subtracts the second that is added for rounding. */
function secondsOf(hints: Partial<WaitHints>): number {
  return readRetryWait({ ...none, ...hints }) / 1000 - 1
}

test.each([
  [{ retryAfterField: 37 }, 37],
  [{ retryAfterField: '37' }, 37],
  [{ retryAfterField: 0 }, 1],
  [{ retryAfterField: 86_400 }, 86_400],
  [{ retryAfterField: 100_000 }, 86_400],
  [{ retryAfterHeader: '12' }, 12],
  [{ retryAfterHeader: 'Tue, 10 Mar 2026 12:00:30 GMT' }, 30],
  [{ resetHeader: '45' }, 45],
  [{ resetHeader: String(nowMs / 1000 + 50) }, 50],
  [{ resetHeader: String(nowMs + 55_000) }, 55],
  [{ resetHeader: '2026-03-10T12:00:20Z' }, 20],
  [{ message: 'Rate limit exceeded, wait 37 seconds' }, 37],
  [{ message: 'retry in 9s' }, 9],
  [{ message: 'You have used 5 slots; wait 37 seconds' }, 37],
  [{ message: 'Please wait 2 minutes.' }, 120],
  [{ message: 'Please wait 1.5 MINUTES' }, 90],
  [{ message: '100 calls per 1 hour: retry in 45 sec' }, 45],
  [{ message: 'Try again in 3 hrs' }, 10_800],
  [{ message: 'Try again in 1h' }, 3_600],
])('reads %j as %d seconds', (hints, seconds) => {
  expect(secondsOf(hints)).toBe(seconds)
})

test.each([
  [{ retryAfterField: -1 }],
  [{ retryAfterField: Number.NaN }],
  [{ retryAfterField: 1e12 }],
  [{ retryAfterField: {} }],
  [{ retryAfterHeader: 'soon' }],
  [{ resetHeader: '0' }],
  [{ resetHeader: '1e999' }],
  [{ resetHeader: String(nowMs / 1000 - 500) }],
  [{ message: 'wait a little' }],
  [{ message: 'You have used 5 slots' }],
  [{ message: 'over by 20 ms, 3 messages and 4 hosts' }],
  [{}],
])('waits a minute for the invalid value %j', (hints) => {
  expect(secondsOf(hints)).toBe(60)
})

test('believes the body before the headers, and the headers before the message', () => {
  const all = { retryAfterField: 1, retryAfterHeader: '2', resetHeader: '3', message: 'wait 4 s' }
  expect(secondsOf(all)).toBe(1)
  expect(secondsOf({ ...all, retryAfterField: 'x' })).toBe(2)
  expect(secondsOf({ ...all, retryAfterField: 'x', retryAfterHeader: 'x' })).toBe(3)
  expect(secondsOf({ ...all, retryAfterField: 'x', retryAfterHeader: 'x', resetHeader: 'x' })).toBe(4)
})

test('distinguishes a reset in seconds from a reset as a timestamp', () => {
  expect(readResetWait('999999999', nowMs)).toBe(999_999_999_000)
  expect(readResetWait('1773144060', nowMs)).toBe(60_000)
  expect(readResetWait('1773144060000', nowMs)).toBe(60_000)
  expect(readResetWait(undefined, nowMs)).toBeNull()
})

test('reads a time as ISO 8601 or epoch, and no year that ISO writes with a sign', () => {
  expect(readEpochMs('2026-04-01T00:00:00Z')).toBe(Date.parse('2026-04-01T00:00:00Z'))
  expect(readEpochMs('1775001600')).toBe(1_775_001_600_000)
  expect(readEpochMs('1775001600000')).toBe(1_775_001_600_000)
  expect(readEpochMs('999999999999999')).toBeNull()
  expect(readEpochMs('never')).toBeNull()
})
