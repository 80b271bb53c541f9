import { expect, test } from 'vitest'
import { createReadStep } from '#bff/store/sync/read-step.ts'
import { MINUTE_MS } from '#contract/duration.ts'
import { createClient, NOON_MS, personOf, startGoverned, THREATS } from '#test/support/start-governed.ts'
import { withDatabase } from '#test/support/with-database.ts'

const EMPTY = { json: { data: [], meta: { total: 0, returned: 0, cursor: null, filters_applied: {} } } }
const REFUSED = { status: 401, json: { error: 'Invalid key' } }

test(
  'retries a refused key by one call of all processes after 15 minutes, then less often',
  withDatabase('bff', async (database) => {
    const { standIn, clock, list, upstream } = await startGoverned(database)
    const other = createClient(database, standIn, clock)
    standIn.play(THREATS, REFUSED)
    expect(await list()).toMatchObject({ kind: 'key_refused' })
    expect(await other.list()).toEqual({ kind: 'key_refused', retryAtMs: NOON_MS + 15 * MINUTE_MS })
    expect(standIn.calls).toHaveLength(1)

    let calls = 1
    for (const minutes of [15, 30, 60, 120, 240, 240]) {
      clock.wait(minutes * MINUTE_MS - 1)
      expect((await list()).kind).toBe('key_refused')
      expect(standIn.calls).toHaveLength(calls)
      clock.wait(1)
      const kinds = (
        await Promise.all([list(personOf('a')), other.list(personOf('b')), list(personOf('c'))])
      ).map(({ kind }) => kind)
      expect(kinds).toEqual(['key_refused', 'key_refused', 'key_refused'])
      calls += 1
      expect(standIn.calls).toHaveLength(calls)
    }

    standIn.play(THREATS, EMPTY)
    clock.wait(240 * MINUTE_MS)
    expect((await list()).kind).toBe('answered')
    expect((await other.list()).kind).toBe('answered')
    expect((await upstream.state()).key).toBe('valid')
  }),
)

test(
  'a retry that never came to an answer does not hold the next one up for long',
  withDatabase('bff', async (database) => {
    const { standIn, clock, list } = await startGoverned(database)
    standIn.play(THREATS, REFUSED)
    await list()
    clock.wait(15 * MINUTE_MS)
    standIn.play(THREATS, { act: (response) => response.destroy() })
    expect((await list()).kind).toBe('unavailable')
    standIn.play(THREATS, EMPTY)
    clock.wait(12_000)
    expect((await list()).kind).toBe('answered')
  }),
)

test(
  "a key that the vendor takes again works again by itself: the window's reader finds out",
  withDatabase('bff', async (database) => {
    const { standIn, clock, upstream } = await startGoverned(database)
    const step = createReadStep({
      database,
      upstream,
      clock,
      source: 'a source',
      history: { days: 30, records: 300_000 },
    })
    standIn.play(THREATS, REFUSED)
    const retryAtMs = NOON_MS + 15 * MINUTE_MS
    await expect(step()).rejects.toMatchObject({ kind: 'key_refused' })
    await expect(step()).rejects.toMatchObject({ kind: 'key_refused', retryAtMs })
    expect(standIn.calls).toHaveLength(1)
    standIn.play(THREATS, EMPTY)
    clock.wait(15 * MINUTE_MS)
    await step()
    expect((await upstream.state()).key).toBe('valid')
  }),
)

test.each<[string, object, 'valid' | 'invalid']>([
  ['a refusal of its plan', { status: 403, json: { error: 'Your plan has no v1 access' } }, 'valid'],
  ['a source without the set', { status: 404, json: { error: 'Not found' } }, 'valid'],
  ['a refusal of what was asked', { status: 400, json: { error: 'Bad limit' } }, 'valid'],
  ['a failure', { act: (response: { destroy(): void }) => response.destroy() }, 'invalid'],
  ['an order to wait', { status: 429, json: { error: 'Slow down' } }, 'invalid'],
])('after a refused key, %s shows by itself whether the key works', (_, reply, key) =>
  withDatabase('bff', async (database) => {
    const { standIn, clock, list, upstream } = await startGoverned(database)
    standIn.play(THREATS, REFUSED)
    await list()
    expect((await upstream.state()).key).toBe('invalid')
    clock.wait(15 * MINUTE_MS)
    standIn.play(THREATS, reply)
    await list()
    expect((await upstream.state()).key).toBe(key)
  })(),
)

test(
  'an answer to a call from before the refusal does not show that the key works',
  withDatabase('bff', async (database) => {
    const { standIn, clock, list, upstream } = await startGoverned(database)
    const other = createClient(database, standIn, clock)
    const rates = { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': '60' }
    standIn.play(THREATS, { headers: rates, ...EMPTY })
    await list()
    const { promise, resolve } = Promise.withResolvers<void>()
    standIn.play(THREATS, async () => {
      await promise
      return { headers: rates, ...EMPTY }
    })
    const early = list(personOf('early'))
    await expect.poll(() => standIn.calls.length).toBe(2)
    standIn.play(THREATS, REFUSED)
    expect((await other.list(personOf('late'))).kind).toBe('key_refused')
    resolve()
    expect((await early).kind).toBe('answered')
    expect((await upstream.state()).key).toBe('invalid')
  }),
)
