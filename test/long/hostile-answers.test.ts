import { expect, onTestFinished, test } from 'vitest'
import { TIMEOUTS } from '#bff/upstream/client/transport.ts'
import { createTestData } from '#test/support/ask-data.ts'
import { makeHostileRound } from '#test/support/hostile-rounds.ts'
import { Random } from '#test/support/random.ts'
import { startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { usedBytes } from '../support/used-bytes.ts'

const ROUNDS = 3_000
/** Code is compiled and caches reach their size in these: what grows afterwards is a leak. */
const WARM_UP_ROUNDS = 500
const SEED = 20_260_310
const DAY_AND_MARGIN_MS = 90_000_000
const GROWTH_MAX_BYTES = 64 * 2 ** 20
const ANSWERS_WITHIN_MS = 12_000

test(`${ROUNDS} damaged answers become valid answers of Lantern, in time, without a memory leak`, {
  timeout: 900_000,
}, async () => {
  const strays: unknown[] = []
  const noteStray = (error: unknown) => strays.push(error)
  process.on('unhandledRejection', noteStray)
  onTestFinished(() => {
    process.off('unhandledRejection', noteStray)
  })
  const standIn = await startStandInUpstream()
  // A failed call is not repeated: it would pause, and meet the same answer.
  const timeouts = { ...TIMEOUTS, totalMs: 3_500 }
  const data = await createTestData({ upstream: { url: standIn.url }, timeouts })
  const random = new Random(SEED)
  let slowestMs = 0

  async function play(rounds: number): Promise<number> {
    for (let count = 0; count < rounds; count += 1) {
      const round = makeHostileRound(random, standIn.url)
      for (const [path, reply] of round.replies) standIn.play(path, reply)
      const startedMs = performance.now()
      const response = await data.ask(round.path)
      slowestMs = Math.max(slowestMs, performance.now() - startedMs)
      expect(await round.fault(response), `round ${count}`).toBeNull()
      data.wait(DAY_AND_MARGIN_MS)
    }
    // The stand-in's own notes are not Lantern's memory.
    standIn.calls.length = 0
    data.logged.length = 0
    return usedBytes()
  }

  const before = await play(WARM_UP_ROUNDS)
  const growth = (await play(ROUNDS - WARM_UP_ROUNDS)) - before
  expect(growth).toBeLessThanOrEqual(GROWTH_MAX_BYTES)
  expect(slowestMs).toBeLessThanOrEqual(ANSWERS_WITHIN_MS)
  expect(strays).toEqual([])
})
