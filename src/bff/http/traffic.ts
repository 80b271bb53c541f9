import type { OnAnswered } from './server.ts'

/** Number of requests within `BUSY_WITHIN_MS` that means that a page is being opened. */
const BUSY_FROM_COUNT = 10
const BUSY_WITHIN_MS = 1_000
/** After its work, a job that rests stays idle for this many times as long: it takes an eighth of the time. */
const REST_TIMES = 7
const REST_LEAST_MS = 200
/** Alerts wait for the records that the sync reads: on a busy machine its work takes seconds. */
const REST_MOST_MS = 5_000

export type Traffic = {
  hear: OnAnswered
  restAfter: RestAfter
}

/** Returns how long a background job rests, milliseconds, after it has worked for so long; 0 while few are answered. */
export type RestAfter = (workedMs: number) => number

export function createTraffic(clock: { elapsedMs(): number }): Traffic {
  const answeredAt: number[] = []
  return {
    hear() {
      answeredAt.push(clock.elapsedMs())
      if (answeredAt.length > BUSY_FROM_COUNT) answeredAt.shift()
    },
    restAfter(workedMs) {
      const [first = 0] = answeredAt
      const isBusy = answeredAt.length === BUSY_FROM_COUNT && clock.elapsedMs() - first < BUSY_WITHIN_MS
      if (!isBusy) return 0
      return Math.min(Math.max(REST_LEAST_MS, REST_TIMES * workedMs), REST_MOST_MS)
    },
  }
}
