import { expect, test } from 'vitest'
import { createLog } from '#bff/http/log.ts'
import type { Database } from '#database/database.ts'
import {
  createClient,
  createVirtualClock,
  READER,
  startGoverned,
  THREATS,
} from '#test/support/start-governed.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { countCallsSince, deleteOldCalls } from './call-queries.ts'
import { Governor } from './governor.ts'
import { countCallsToday } from './ledger-queries.ts'

const LIST = { data: [], meta: { total: 0, returned: 0, cursor: null, filters_applied: {} } }
const RATES = { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': '60' }

/** A database that can be away for a while. */
function breakable(database: Database) {
  const state = { isAway: false }
  const away = () => Promise.reject(new Error('away'))
  const failing: Database = {
    query: (text, values) => (state.isAway ? away() : database.query(text, values)),
    transaction: (run) => (state.isAway ? away() : database.transaction(run)),
  }
  return { failing, state }
}

test(
  'while the database is down, shows the last known budget without the calls left',
  withDatabase('bff', async (database) => {
    const { failing, state } = breakable(database)
    const { standIn, upstream, list, logged } = await startGoverned(failing)
    standIn.play(THREATS, { headers: RATES, json: LIST })
    await list()
    expect((await upstream.state()).sets.v1.budgets.minute).toMatchObject({ limit: 10, remaining: 7 })

    state.isAway = true
    const { status, budgets } = (await upstream.state()).sets.v1
    expect([status, budgets.minute?.limit, budgets.minute?.remaining]).toEqual(['permitted', 10, null])
    expect(logged.some((line) => line.includes('budget-not-read'))).toBe(true)
    expect(await list()).toMatchObject({ kind: 'uncounted' })
    expect(logged.some((line) => line.includes('call-not-counted'))).toBe(true)
  }),
)

test(
  'records a call that ends while the database is down before the next one',
  withDatabase('bff', async (database) => {
    const { failing, state } = breakable(database)
    const { standIn, clock, list, logged } = await startGoverned(failing)
    standIn.play(THREATS, () => {
      state.isAway = true
      return { headers: RATES, json: LIST }
    })
    expect(await list()).toMatchObject({ kind: 'answered' })
    expect(logged.some((line) => line.includes('call-not-written-down'))).toBe(true)
    const calls = () => countCallsToday(database, clock.nowMs())
    expect(await calls()).toMatchObject([{ set: 'v1', priority: 'person', outcome: 'under way', count: 1 }])

    state.isAway = false
    standIn.play(THREATS, { headers: RATES, json: LIST })
    await expect.poll(async () => (await list()).kind).toBe('answered')
    expect(await calls()).toMatchObject([{ set: 'v1', priority: 'person', outcome: 'answered', count: 2 }])
  }),
)

test(
  'a set is closed as absent or outside the plan, until it is requested again',
  withDatabase('bff', async (database) => {
    const { standIn, upstream, list, clock } = await startGoverned(database)
    expect(upstream.closedSets()).toEqual({ v1: undefined, earlier: undefined })
    standIn.play(THREATS, { status: 404, json: { error: 'Not found' } })
    expect(await list()).toMatchObject({ kind: 'set_absent' })
    expect(upstream.closedSets().v1).toBe('absent')
    const restarted = createClient(database, standIn, clock)
    await restarted.upstream.state()
    expect(restarted.upstream.closedSets().v1).toBe('absent')
    clock.wait(15 * 60_000 - 1)
    expect(upstream.closedSets().v1).toBe('absent')
    clock.wait(1)
    expect(upstream.closedSets().v1).toBeUndefined()

    standIn.play(THREATS, { status: 403, json: { error: 'Your plan has no v1 access' } })
    await list()
    expect(upstream.closedSets().v1).toBe('plan')
  }),
)

test(
  'calls are counted since a moment and by day, and the oldest are deleted first',
  withDatabase('bff', async (database) => {
    const { standIn, clock, list } = await startGoverned(database)
    standIn.play(THREATS, { json: LIST })
    for (const waitMs of [0, 60_000, 86_400_000]) {
      clock.wait(waitMs)
      await list()
    }
    const { rows } = await database.query('select key_fingerprint from upstream_call limit 1')
    const name = { keyFingerprint: Object(rows[0]).key_fingerprint, set: 'v1' as const }
    const countSince = (ms: number) => countCallsSince(database, name, ms)
    const now = clock.nowMs()
    expect(await Promise.all([now, now - 86_400_000, now - 86_460_000, now + 1].map(countSince))).toEqual([
      1, 2, 3, 0,
    ])
    expect(await countCallsSince(database, { ...name, set: 'earlier' }, 0)).toBe(0)
    expect(await countCallsToday(database, now)).toMatchObject([{ outcome: 'answered', count: 1 }])

    const before = new Date(now).toISOString()
    expect(await deleteOldCalls(database, before, 1)).toBe(1)
    expect(await countSince(0)).toBe(2)
    expect(await countSince(now - 86_400_000)).toBe(2)
    expect(await deleteOldCalls(database, before, 5)).toBe(1)
    expect(await countSince(0)).toBe(1)
  }),
)

test(
  'calls that start together share a transaction, and so do calls that end together',
  withDatabase('bff', async (database) => {
    let transactions = 0
    const counting: Database = {
      ...database,
      transaction(run) {
        transactions++
        return database.transaction(run)
      },
    }
    const [clock, log] = [createVirtualClock(), createLog(() => {})]
    const name = { keyFingerprint: Buffer.alloc(32), set: 'v1' as const }
    const governor = new Governor({ database: counting, clock, log, ...name })
    const call = { route: 'listThreats', caller: READER }
    const end = { outcome: 'answered', status: 200, durationMs: 1, facts: null } as const
    const complete = (id: number) => governor.complete(id, { ...end, budgetOutcome: { kind: 'answered' } })
    await complete(await governor.admit(call))
    transactions = 0
    const ids = await Promise.all(Array.from({ length: 5 }, () => governor.admit(call)))
    expect(transactions).toBe(1)
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other))
    transactions = 0
    await Promise.all(ids.map(complete))
    expect(transactions).toBe(1)
    expect(await countCallsToday(database, clock.nowMs())).toMatchObject([{ outcome: 'answered', count: 6 }])
  }),
)
