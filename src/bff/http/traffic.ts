import type { OnAnswered } from './server.ts'

/** Number of requests within `BUSY_WITHIN_MS` that means that a page is being opened. */
const BUSY_FROM_COUNT = 10
const BUSY_WITHIN_MS = 1_000

export type Traffic = {
  hear: OnAnswered
  /** Returns true while people are being answered: background work waits for them. */
  isBusy(): boolean
}

export function createTraffic(clock: { elapsedMs(): number }): Traffic {
  const answeredAt: number[] = []
  return {
    hear() {
      answeredAt.push(clock.elapsedMs())
      if (answeredAt.length > BUSY_FROM_COUNT) answeredAt.shift()
    },
    isBusy() {
      const [first = 0] = answeredAt
      return answeredAt.length === BUSY_FROM_COUNT && clock.elapsedMs() - first < BUSY_WITHIN_MS
    },
  }
}
