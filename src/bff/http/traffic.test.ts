import { expect, test } from 'vitest'
import { createVirtualClock } from '#test/support/start-governed.ts'
import { createTraffic } from './traffic.ts'

const ANSWERED = { id: '1', method: 'GET', route: 'GET /bff/threats', status: 200, durationMs: 1 }

test('pauses background work for seven times its duration, at most 5 s, during busy traffic', () => {
  const clock = createVirtualClock()
  const traffic = createTraffic(clock)
  expect(traffic.restAfter(100)).toBe(0)
  for (let request = 0; request < 9; request++) traffic.hear(ANSWERED)
  expect(traffic.restAfter(100)).toBe(0)
  clock.wait(999)
  traffic.hear(ANSWERED)
  expect([1, 100, 10_000].map(traffic.restAfter)).toEqual([200, 700, 5_000])
  clock.wait(1)
  expect(traffic.restAfter(100)).toBe(0)
})
