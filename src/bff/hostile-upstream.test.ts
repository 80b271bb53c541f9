import { afterAll, beforeAll, expect, test } from 'vitest'
import { TIMEOUTS, type Timeouts } from '#bff/upstream/client/transport.ts'
import { createTestData } from '#test/support/ask-data.ts'
import { makeHostileRound } from '#test/support/hostile-rounds.ts'
import { Random } from '#test/support/random.ts'
import { startStandInUpstream } from '#test/support/stand-in-upstream.ts'

/** `npm run test:long` plays more, and measures memory. */
const ROUNDS = 300
const SEED = 20_260_310
const DAY_AND_MARGIN_MS = 90_000_000
/** Too short for a failed call to be repeated, which pauses and meets the same answer. */
const NO_REPEAT: Timeouts = { ...TIMEOUTS, totalMs: 3_500 }

const strays: unknown[] = []
const noteStray = (error: unknown) => strays.push(error)

beforeAll(() => {
  process.on('unhandledRejection', noteStray)
})
afterAll(() => {
  process.off('unhandledRejection', noteStray)
})

test(`${ROUNDS} hostile answers become valid answers of Lantern, and do no harm`, {
  timeout: 120_000,
}, async () => {
  const standIn = await startStandInUpstream()
  const { ask, wait } = await createTestData({ upstream: { url: standIn.url }, timeouts: NO_REPEAT })
  const random = new Random(SEED)
  const statuses = new Set<number>()

  for (let count = 1; count <= ROUNDS; count += 1) {
    const round = makeHostileRound(random, standIn.url)
    for (const [path, reply] of round.replies) standIn.play(path, reply)
    const response = await ask(round.path)
    statuses.add(response.status)
    expect(await round.fault(response), `round ${count}`).toBeNull()
    wait(DAY_AND_MARGIN_MS)
  }

  expect(strays).toEqual([])
  expect([...statuses].toSorted()).toEqual(expect.arrayContaining([200, 404, 429, 502]))
})
