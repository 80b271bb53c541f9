import { expect, test, vi } from 'vitest'
import { UpstreamError, type UpstreamErrorKind } from '#bff/upstream/client/upstream-error.ts'
import { DAY_MS } from '#contract/duration.ts'
import { createVirtualClock, personOf } from '#test/support/start-governed.ts'
import { ReadCache } from './read-cache.ts'
import type { ReadRequest } from './read-request.ts'

const FRESH_FOR_MS = 60_000
const person: ReadRequest = {
  caller: personOf('s-1'),
  isRefresh: false,
  signal: new AbortController().signal,
}
const refresh: ReadRequest = { ...person, isRefresh: true }

function start(maxBytes = 1_000_000) {
  const clock = createVirtualClock()
  let generation = 0
  const freshForMs = () => FRESH_FOR_MS
  const cache = new ReadCache<string>({ clock, generation: () => generation, maxBytes, freshForMs })
  const rise = () => {
    generation += 1
  }
  return { clock, cache, rise }
}

function failWith(kind: UpstreamErrorKind) {
  return vi.fn(() => Promise.reject(new UpstreamError({ set: 'v1', kind, reason: 'test' })))
}

test('a hundred simultaneous requests share one read', async () => {
  const { cache } = start()
  const { promise, resolve } = Promise.withResolvers<string>()
  const load = vi.fn(() => promise)
  const cachedAnswers = Array.from({ length: 100 }, () => cache.read('a', load, person))
  resolve('value')
  expect(new Set((await Promise.all(cachedAnswers)).map(({ value }) => value))).toEqual(new Set(['value']))
  expect(load).toHaveBeenCalledTimes(1)
})

test('an aborted request does not abort the answer for others', async () => {
  const { cache } = start()
  const { promise, resolve } = Promise.withResolvers<string>()
  const leaving = new AbortController()
  const first = cache.read('a', () => promise, { ...person, signal: leaving.signal })
  const second = cache.read('a', () => promise, person)
  leaving.abort()
  await expect(first).rejects.toMatchObject({ kind: 'timeout' })
  resolve('value')
  expect(await second).toMatchObject({ value: 'value' })
  expect(await cache.read('a', failWith('timeout'), person)).toMatchObject({ value: 'value' })
})

test('a request that has waited too long gets the previous answer', async () => {
  const { cache, clock } = start()
  await cache.read('a', async () => 'old', person)
  clock.wait(FRESH_FOR_MS)
  const cached = cache.read('a', () => new Promise(() => {}), { ...person, signal: AbortSignal.abort() })
  expect(await cached).toMatchObject({ value: 'old', staleReason: expect.any(String) })
})

test('gives a value again while it is fresh, and says for how long', async () => {
  const { cache, clock } = start()
  const fetchedAtMs = clock.nowMs()
  await cache.read('a', async () => 'first', person)
  clock.wait(FRESH_FOR_MS - 1)
  expect(await cache.read('a', async () => 'second', person)).toEqual({
    value: 'first',
    fetchedAtMs,
    freshForMs: 1,
    staleReason: null,
  })
  clock.wait(1)
  expect(await cache.read('a', async () => 'second', person)).toMatchObject({ value: 'second' })
})

test('a refresh replaces an answer that is five seconds old', async () => {
  const { cache, clock } = start()
  await cache.read('a', async () => 'first', person)
  clock.wait(4_999)
  expect(await cache.read('a', async () => 'second', refresh)).toMatchObject({ value: 'first' })
  clock.wait(1)
  expect(await cache.read('a', async () => 'second', refresh)).toMatchObject({ value: 'second' })
})

test.each<UpstreamErrorKind>([
  'unavailable',
  'timeout',
  'unreadable',
  'rate_limited',
  'daily_limit_reached',
  'saving_calls',
  'key_refused',
])('answers %s with what was known before, for a day', async (kind) => {
  const { cache, clock } = start()
  await cache.read('a', async () => 'old', person)
  clock.wait(DAY_MS)
  expect(await cache.read('a', failWith(kind), person)).toMatchObject({
    value: 'old',
    freshForMs: 0,
    staleReason: expect.stringMatching(/\.$/),
  })
  clock.wait(3_001)
  await expect(cache.read('a', failWith(kind), person)).rejects.toMatchObject({ kind })
})

test.each<UpstreamErrorKind>(['not_found', 'forbidden', 'set_forbidden', 'rejected', 'key_missing'])(
  'does not show after %s what was known before, then or later',
  async (kind) => {
    const { cache, clock } = start()
    await cache.read('a', async () => 'old', person)
    clock.wait(FRESH_FOR_MS)
    await expect(cache.read('a', failWith(kind), person)).rejects.toMatchObject({ kind })
    clock.wait(DAY_MS / 2)
    await expect(cache.read('a', failWith('timeout'), person)).rejects.toMatchObject({ kind: 'timeout' })
  },
)

test.each<[UpstreamErrorKind, number]>([
  ['not_found', 60_000],
  ['forbidden', 900_000],
  ['unavailable', 3_000],
  ['timeout', 3_000],
  ['unreadable', 3_000],
])('remembers %s for %d ms', async (kind, ms) => {
  const { cache, clock } = start()
  const load = failWith(kind)
  await expect(cache.read('a', load, person)).rejects.toMatchObject({ kind })
  clock.wait(ms - 1)
  await expect(cache.read('a', load, person)).rejects.toMatchObject({ kind })
  expect(load).toHaveBeenCalledTimes(1)
  clock.wait(1)
  expect(await cache.read('a', async () => 'back', person)).toMatchObject({ value: 'back' })
})

test('a refused background poll does not refuse a person’s request', async () => {
  const { cache } = start()
  const poll = cache.read('a', failWith('saving_calls'), {
    ...person,
    caller: { ...person.caller, priority: 'refresh' },
  })
  const read = cache.read('a', async () => 'value', person)
  await expect(poll).rejects.toMatchObject({ kind: 'saving_calls' })
  expect(await read).toMatchObject({ value: 'value' })
})

test('keeps at most its size, and drops the least recently used entries', async () => {
  const { cache } = start(250)
  const value = 'x'.repeat(48)
  const put = (key: string) => cache.read(key, async () => value, person)
  await put('a')
  await put('b')
  await put('a')
  await put('c')
  const again = vi.fn(async () => value)
  await cache.read('a', again, person)
  await cache.read('c', again, person)
  expect(again).not.toHaveBeenCalled()
  await cache.read('b', again, person)
  expect(again).toHaveBeenCalledTimes(1)
})

test('discards answers of another key, and gives a late one only to waiting requests', async () => {
  const { cache, rise } = start()
  await cache.read('known', async () => 'old', person)
  const { promise, resolve } = Promise.withResolvers<string>()
  const waiting = cache.read('late', () => promise, person)
  await expect(cache.read('failed', failWith('not_found'), person)).rejects.toMatchObject({
    kind: 'not_found',
  })

  rise()
  expect(cache.peek('known')).toBeNull()
  expect(await cache.read('failed', async () => 'new', person)).toMatchObject({ value: 'new' })
  expect(await cache.read('late', async () => 'new', person)).toMatchObject({ value: 'new' })
  resolve('old')
  expect(await waiting).toMatchObject({ value: 'old' })
  expect(cache.peek('late')).toMatchObject({ value: 'new' })
})
