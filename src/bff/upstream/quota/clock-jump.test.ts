import { expect, test } from 'vitest'
import { createLog } from '#bff/http/log.ts'
import { createUpstream } from '#bff/upstream/client/upstream-client.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { type StandInUpstream, startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { createVirtualClock, personOf, THREATS } from '#test/support/start-governed.ts'
import { withDatabase } from '#test/support/with-database.ts'

const LIST = { data: [], meta: { total: 0, returned: 0, cursor: null, filters_applied: {} } }
/** A clock whose time of day can be set while what has elapsed goes on. */
function createSettableClock() {
  const clock = createVirtualClock()
  let setByMs = 0
  return {
    ...clock,
    nowMs: () => clock.nowMs() + setByMs,
    set(byMs: number) {
      setByMs += byMs
    },
  }
}
type SettableClock = ReturnType<typeof createSettableClock>

function createLister(database: Database, standIn: StandInUpstream, clock: SettableClock) {
  const log = createLog(() => {})
  const upstream = createUpstream({
    url: standIn.url,
    keys: () => ({ apiKey: 'key-of-the-tests' }),
    clock,
    log,
    database,
  })
  return async () => {
    try {
      await upstream.call('listThreats', {}, personOf('s-1'))
      return 'answered'
    } catch (error) {
      if (error instanceof UpstreamError) return error.kind
      throw error
    }
  }
}

async function startJumping(database: Database) {
  const standIn = await startStandInUpstream()
  const clock = createSettableClock()
  return { standIn, clock, list: createLister(database, standIn, clock) }
}

test('a running process whose clock is set back a day requests again instead of waiting', async () => {
  await withDatabase('bff', async (database) => {
    const { standIn, clock, list } = await startJumping(database)
    standIn.play(THREATS, { status: 429, json: { error: 'Wait', retry_after: 7_200 } })
    await list()
    expect(await list()).toBe('daily_limit_reached')
    standIn.play(THREATS, { json: LIST })
    clock.set(-DAY_MS)
    expect(await list()).toBe('answered')
  })()
})

test('a process that starts on a clock set back a day ignores times stored before', async () => {
  await withDatabase('bff', async (database) => {
    const { standIn, clock, list } = await startJumping(database)
    const headers = { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' }
    standIn.play(THREATS, { headers, json: LIST })
    await list()
    clock.wait(62_000)
    standIn.play(THREATS, { status: 429, headers, json: { error: 'Wait', retry_after: 3_000 } })
    expect(await list()).toBe('rate_limited')

    clock.set(-DAY_MS)
    standIn.play(THREATS, { headers, json: LIST })
    expect(await createLister(database, standIn, clock)()).toBe('answered')
  })()
})
