import { expect, test } from 'vitest'
import { createVirtualClock } from '#test/support/start-governed.ts'
import { createTraffic } from './traffic.ts'

const ANSWERED = { id: '1', method: 'GET', route: 'GET /bff/threats', status: 200, durationMs: 1 }

test('is busy while ten requests were answered within a second, and not a second later', () => {
  const clock = createVirtualClock()
  const traffic = createTraffic(clock)
  expect(traffic.isBusy()).toBe(false)
  for (let request = 0; request < 9; request++) traffic.hear(ANSWERED)
  expect(traffic.isBusy()).toBe(false)
  clock.wait(999)
  traffic.hear(ANSWERED)
  expect(traffic.isBusy()).toBe(true)
  clock.wait(1)
  expect(traffic.isBusy()).toBe(false)
})
