import { expect, test } from 'vitest'
import {
  createClient,
  NOON_MS,
  personOf,
  READER,
  startGoverned,
  THREATS,
} from '#test/support/start-governed.ts'
import { withDatabase } from '#test/support/with-database.ts'

const LIST = { data: [], meta: { total: 0, returned: 0, cursor: null, filters_applied: {} } }
const EMPTY = { json: LIST }
const rates = (limit: number, remaining: number, resetS: number) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(resetS),
})

test(
  'sends one call as a probe, and lets the others wait for it',
  withDatabase('bff', async (database) => {
    const { standIn, list } = await startGoverned(database)
    const { promise, resolve } = Promise.withResolvers<void>()
    let remaining = 2
    standIn.play(THREATS, async () => {
      await promise
      remaining -= 1
      return { headers: rates(5, remaining, 30), json: LIST }
    })
    const calls = ['a', 'b', 'c', 'd'].map((session) => list(personOf(session)))
    await expect.poll(() => standIn.calls.length).toBe(1)
    resolve()
    const kinds = (await Promise.all(calls)).map(({ kind }) => kind).toSorted()
    expect(kinds).toEqual(['answered', 'answered', 'rate_limited', 'rate_limited'])
    expect(standIn.calls).toHaveLength(2)
  }),
)

test(
  'two processes never spend more together than the vendor allows',
  withDatabase('bff', async (database) => {
    const { standIn, clock, list } = await startGoverned(database)
    const other = createClient(database, standIn, clock)
    standIn.play(THREATS, { headers: rates(5, 4, 60), json: LIST })
    await list()
    const calls = Array.from({ length: 20 }, (_, at) => (at % 2 ? list : other.list)(personOf(`s-${at}`)))
    const kinds = (await Promise.all(calls)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'answered')).toHaveLength(4)
    expect(standIn.calls).toHaveLength(5)
  }),
)

test(
  'keeps calls for people from the window and from pages that update by themselves',
  withDatabase('bff', async (database) => {
    const { standIn, list } = await startGoverned(database)
    const refresh = { priority: 'refresh', who: 'u-1', session: 's-2' } as const
    standIn.play(THREATS, { headers: rates(5, 2, 60), json: LIST })
    await list()
    expect(await list(READER)).toMatchObject({ kind: 'saving_calls', retryAtMs: NOON_MS + 61_000 })
    expect(await list(refresh)).toMatchObject({ kind: 'answered' })
    standIn.play(THREATS, { headers: rates(5, 1, 60), json: LIST })
    await list(personOf('s-3'))
    expect(await list(refresh)).toMatchObject({ kind: 'saving_calls' })
    expect(await list(personOf('s-4'))).toMatchObject({ kind: 'answered' })
  }),
)

test(
  'one session cannot spend what is left for the others',
  withDatabase('bff', async (database) => {
    const { standIn, list } = await startGoverned(database)
    let remaining = 10
    standIn.play(THREATS, () => {
      remaining -= 1
      return { headers: rates(10, remaining, 60), json: LIST }
    })
    const greedy = []
    for (let call = 0; call < 10; call += 1) greedy.push((await list(personOf('s-1'))).kind)
    expect(greedy.filter((kind) => kind === 'answered')).toHaveLength(5)
    expect(greedy.at(-1)).toBe('share_used')
    expect(await list(personOf('s-2'))).toMatchObject({ kind: 'answered' })
  }),
)

test(
  'respects a day limit reported once, after a restart and into the next day',
  withDatabase('bff', async (database) => {
    const { standIn, clock, list } = await startGoverned(database)
    standIn.play(THREATS, { headers: rates(3, 1, 12 * 3600), json: LIST })
    await list(personOf('a'))
    standIn.play(THREATS, { headers: rates(60, 59, 60), json: LIST })
    clock.wait(60_000)
    await list(personOf('b'))
    const restarted = createClient(database, standIn, clock)
    clock.wait(3_600_000)
    const refused = await restarted.list(personOf('c'))
    expect(refused).toEqual({ kind: 'daily_limit_reached', retryAtMs: Date.parse('2026-03-11T00:00:01Z') })
    expect((await restarted.upstream.state()).sets.v1.budgets.day).toEqual({
      limit: 3,
      remaining: 0,
      resetsAt: '2026-03-11T00:00:01.000Z',
    })

    clock.wait(12 * 3_600_000)
    const kinds = []
    for (const session of ['d', 'e', 'f', 'g']) kinds.push((await restarted.list(personOf(session))).kind)
    expect(kinds).toEqual(['answered', 'answered', 'answered', 'daily_limit_reached'])
  }),
)

test.each([
  ['a field of the body', { json: { error: 'Slow down', retry_after: 37 } }, 38_000],
  ['a header', { headers: { 'retry-after': '90' }, json: { error: 'no' } }, 91_000],
  ['a reset in seconds', { headers: { 'x-ratelimit-reset': '20' }, json: {} }, 21_000],
  ['epoch seconds', { headers: { 'x-ratelimit-reset': `${NOON_MS / 1000 + 50}` }, json: {} }, 51_000],
  ['epoch milliseconds', { headers: { 'x-ratelimit-reset': `${NOON_MS + 40_000}` }, json: {} }, 41_000],
  ['its words', { json: { error: 'Try again in 12 seconds' } }, 13_000],
  ['nothing', { raw: '<h1>Too many</h1>' }, 61_000],
  ['nonsense', { headers: { 'retry-after': 'soon' }, json: { retry_after: -1 } }, 61_000],
  ['an absurd number', { json: { retry_after: 1e12 } }, 61_000],
  ['a day', { json: { retry_after: 86_400 } }, 86_401_000],
])(
  'after a 429 that states its wait by %s, no process calls before that time',
  async (_, refusal, waitMs) => {
    await withDatabase('bff', async (database) => {
      const { standIn, clock, list } = await startGoverned(database)
      const date = new Date(NOON_MS).toUTCString()
      const headers = { date, ...('headers' in refusal ? refusal.headers : {}) }
      standIn.play(THREATS, { ...refusal, headers, status: 429 })
      expect(await list()).toMatchObject({ retryAtMs: NOON_MS + waitMs })
      standIn.play(THREATS, EMPTY)
      clock.wait(waitMs - 1)
      const other = createClient(database, standIn, clock)
      expect([await list(), await other.list()]).not.toContainEqual(
        expect.objectContaining({ kind: 'answered' }),
      )
      expect(standIn.calls).toHaveLength(1)
      clock.wait(1)
      expect(await other.list()).toMatchObject({ kind: 'answered' })
    })()
  },
)

test(
  'waits longer each time that a 429 does not say how long',
  withDatabase('bff', async (database) => {
    const { standIn, clock, list } = await startGoverned(database)
    standIn.play(THREATS, { status: 429, json: {} })
    await list()
    for (const waitMs of [61_000, 122_000, 244_000, 488_000, 900_000, 900_000]) {
      clock.wait(waitMs - 1)
      await list()
      const before = standIn.calls.length
      clock.wait(1)
      await list()
      expect(standIn.calls).toHaveLength(before + 1)
    }
    expect(standIn.calls).toHaveLength(7)
  }),
)

test(
  'remembers for 15 minutes, also after a restart, that the plan does not include a set',
  withDatabase('bff', async (database) => {
    const { standIn, clock, list } = await startGoverned(database)
    standIn.play(THREATS, { status: 403, json: { error: 'Your plan has no v1 access' } })
    expect(await list()).toMatchObject({ kind: 'set_forbidden' })
    standIn.play(THREATS, EMPTY)
    const restarted = createClient(database, standIn, clock)
    clock.wait(15 * 60_000 - 1)
    expect(await restarted.list()).toMatchObject({ kind: 'set_forbidden' })
    expect(standIn.calls).toHaveLength(1)
    expect(restarted.upstream.permittedSets()).toEqual(['earlier'])
    expect(await restarted.upstream.state()).toMatchObject({
      key: 'valid',
      sets: { v1: { status: 'forbidden', reason: 'Your plan has no v1 access' } },
    })
    clock.wait(1)
    expect(await restarted.list()).toMatchObject({ kind: 'answered' })
    expect((await restarted.upstream.state()).sets.v1.status).toBe('permitted')
  }),
)

test(
  'pauses calls to a vendor that fails repeatedly, and retries with one call at a time',
  withDatabase('bff', async (database) => {
    const { standIn, clock, list } = await startGoverned(database)
    standIn.play(THREATS, EMPTY)
    await list()
    standIn.play(THREATS, { raw: '<h1>Captive portal</h1>' })
    for (let call = 0; call < 5; call += 1) await list(personOf(`s-${call}`))
    expect(standIn.calls).toHaveLength(6)
    expect(await list()).toEqual({ kind: 'unavailable', retryAtMs: NOON_MS + 30_000 })
    clock.wait(30_000)
    await list()
    expect(await list()).toEqual({ kind: 'unavailable', retryAtMs: NOON_MS + 90_000 })
    expect(standIn.calls).toHaveLength(7)
    standIn.play(THREATS, EMPTY)
    clock.wait(60_000)
    expect(await list()).toMatchObject({ kind: 'answered' })
  }),
)

test(
  'repeats a call once after a 500, but not when few are left',
  withDatabase('bff', async (database) => {
    const { standIn, clock, list } = await startGoverned(database)
    let failures = 1
    const reply = (remaining: number) => () => {
      failures -= 1
      const headers = rates(10, remaining, 60)
      return failures >= 0 ? { status: 500, headers, json: { error: 'oops' } } : { headers, json: LIST }
    }
    standIn.play(THREATS, reply(8))
    expect(await list()).toMatchObject({ kind: 'answered' })
    expect(standIn.calls).toHaveLength(2)
    failures = 1
    clock.wait(61_000)
    standIn.play(THREATS, reply(1))
    expect(await list()).toMatchObject({ kind: 'unavailable' })
    expect(standIn.calls).toHaveLength(3)
  }),
)

test(
  'makes no calls while it cannot count them, and resumes by itself',
  withDatabase('bff', async (database) => {
    const away = { isAway: true }
    const failing = {
      query: () => (away.isAway ? Promise.reject(new Error('away')) : database.query('select 1')),
      transaction: <T>(run: Parameters<typeof database.transaction<T>>[0]) =>
        away.isAway ? Promise.reject(new Error('away')) : database.transaction(run),
    }
    const { standIn, list } = await startGoverned(failing)
    standIn.play(THREATS, EMPTY)
    expect(await list()).toMatchObject({ kind: 'uncounted' })
    expect(standIn.calls).toEqual([])
    away.isAway = false
    await expect.poll(async () => (await list()).kind).toBe('answered')
  }),
)
