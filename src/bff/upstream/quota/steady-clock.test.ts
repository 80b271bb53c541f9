import { expect, test } from 'vitest'
import { NOON_MS, periodOf } from '#test/support/quota/budgets.ts'
import { SteadyClock } from './steady-clock.ts'

/** A clock that is set and waits as the test says. */
function createClocks() {
  let nowMs = NOON_MS
  let elapsedMs = 500
  const steady = new SteadyClock({ nowMs: () => nowMs, elapsedMs: () => elapsedMs })
  const wait = (ms: number) => {
    nowMs += ms
    elapsedMs += ms
  }
  const set = (byMs: number) => {
    nowMs += byMs
  }
  return { steady, wait, set, sinceNoonMs: () => steady.nowMs() - NOON_MS }
}

test('goes as the clock does, with its small corrections', () => {
  const { wait, set, sinceNoonMs } = createClocks()
  wait(10_000)
  expect(sinceNoonMs()).toBe(10_000)
  set(1_999)
  expect(sinceNoonMs()).toBe(11_999)
  set(-1_999)
  wait(5_000)
  expect(sinceNoonMs()).toBe(15_000)
})

test.each([2_000, -2_000, 86_400_000])('follows a clock that was set by %i ms a minute later', (byMs) => {
  const { wait, set, sinceNoonMs } = createClocks()
  set(byMs)
  expect(sinceNoonMs()).toBe(0)
  wait(60_999)
  expect(sinceNoonMs()).toBe(60_999)
  wait(1)
  expect(sinceNoonMs()).toBe(61_000 + byMs)
  wait(1_000)
  expect(sinceNoonMs()).toBe(62_000 + byMs)
})

test('counts the minute anew for a clock that was set back right and is set again', () => {
  const { wait, set, sinceNoonMs } = createClocks()
  set(5_000)
  expect(sinceNoonMs()).toBe(0)
  set(-5_000)
  wait(50_000)
  expect(sinceNoonMs()).toBe(50_000)
  set(5_000)
  wait(20_000)
  expect(sinceNoonMs()).toBe(70_000)
  wait(61_000)
  expect(sinceNoonMs()).toBe(136_000)
})

test('what was told to last lasts as long, whatever is done to the time meanwhile', () => {
  const { steady, wait, set } = createClocks()
  const state = {
    minute: periodOf({ resetsAtMs: NOON_MS + 100_000 }),
    day: periodOf({ resetsAtMs: NOON_MS + 200_000 }),
    block: { untilMs: NOON_MS + 300_000, kind: 'rate_limited' as const },
  }
  const endsIn = () => {
    const nowMs = steady.nowMs()
    const { minute, day, block } = steady.hold(state, nowMs)
    return [minute?.resetsAtMs, day?.resetsAtMs, block?.untilMs].map((endMs) => (endMs ?? 0) - nowMs)
  }
  expect(endsIn()).toEqual([100_000, 200_000, 300_000])
  set(86_400_000)
  expect(endsIn()).toEqual([100_000, 200_000, 300_000])
  // The clock is followed now.
  wait(70_000)
  expect(endsIn()).toEqual([30_000, 130_000, 230_000])
})

test('what is told anew lasts as it says now', () => {
  const { steady, wait, set } = createClocks()
  const holdUntil = (untilMs: number) =>
    steady.hold({ minute: null, day: null, block: { untilMs, kind: 'rate_limited' } }, steady.nowMs())
  holdUntil(NOON_MS + 100_000)
  set(86_400_000)
  steady.nowMs()
  wait(70_000)
  const nowMs = steady.nowMs()
  expect(holdUntil(nowMs + 5_000)).toEqual({
    minute: null,
    day: null,
    block: { untilMs: nowMs + 5_000, kind: 'rate_limited' },
  })
})

test('holds nothing of what was never told', () => {
  const { steady } = createClocks()
  const state = { minute: null, day: null, block: null, more: 'kept' }
  expect(steady.hold(state, NOON_MS)).toEqual(state)
})
