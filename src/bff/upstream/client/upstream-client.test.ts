import { expect, test } from 'vitest'
import { personOf } from '#test/support/start-governed.ts'
import { FEED, failureOf, LIST, PERSON, startUpstream } from '#test/support/start-upstream.ts'
import { v1List } from '#test/support/upstream-records.ts'
import type { Caller } from './caller.ts'

const REFRESH: Caller = { ...personOf('s-2'), priority: 'refresh' }

test('sends the key, what it accepts and who it is, and no other header', async () => {
  const { standIn, list } = await startUpstream()
  await list({ limit: 50, category: 'Data Breach', cursor: undefined })

  expect(standIn.calls).toHaveLength(1)
  expect(standIn.calls[0]?.query).toEqual({ limit: '50', category: 'Data Breach' })
  const { host: _host, connection: _connection, ...headers } = standIn.calls[0]?.headers ?? {}
  expect(headers).toEqual({
    accept: 'application/json',
    'accept-encoding': 'gzip, br',
    authorization: 'Bearer the-key',
    'user-agent': 'lantern',
  })
})

test('sends the earlier set its own key if there is one', async () => {
  const { standIn, listEarlier, list } = await startUpstream({ earlierApiKey: 'the-earlier-key' })
  standIn.play(FEED, { json: {} })
  await listEarlier()
  await list()
  expect(standIn.calls.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer the-earlier-key',
    'Bearer the-key',
  ])
})

test.each([
  ['a/b', 'a%2Fb'],
  ['a?b=c#d', 'a%3Fb%3Dc%23d'],
  ['a%2eb', 'a%252eb'],
  ['https://evil.example/a', 'https%3A%2F%2Fevil.example%2Fa'],
  ['ä 日', '%C3%A4%20%E6%97%A5'],
  ['...', '...'],
])('sends the id %j in one segment', async (id, segment) => {
  const { standIn, upstream } = await startUpstream()
  await failureOf(upstream.call('readThreat', { id }, PERSON))
  expect(standIn.calls.map(({ path }) => path)).toEqual([`${LIST}/${segment}`])
})

test.each([
  ...[
    '',
    '.',
    '..',
    '../alerts',
    'a/../b',
    'a\\..\\b',
    '..;/alerts',
    '%2e%2e',
    '..%2Falerts',
    '%252e%252e%252falerts',
  ],
  ...['a\0', 'a\r\nx: y', 'a%0d%0ax', 'a\u009f', 'half \ud800', 'x'.repeat(5_000)],
])('never sends the id %j, which some server may take for another', async (id) => {
  const { standIn, upstream } = await startUpstream()
  await expect(upstream.call('readThreat', { id }, PERSON)).rejects.toThrow()
  expect(standIn.calls).toEqual([])
})

test('never sends a parameter that the route does not have', async () => {
  const { standIn, list } = await startUpstream()
  await expect(list({ api_key: '1' })).rejects.toThrow('no parameter')
  expect(standIn.calls).toEqual([])
})

test('without a key it makes no call and says that one is missing', async () => {
  const { standIn, list, upstream } = await startUpstream({ apiKey: undefined })
  expect(await failureOf(list())).toMatchObject({ kind: 'key_missing' })
  expect((await upstream.state()).key).toBe('missing')
  expect(upstream.permittedSets()).toEqual([])
  expect(standIn.calls).toEqual([])
})

test('reserves the last fifth of a limit from background polls until its reset', async () => {
  const { standIn, list, clock } = await startUpstream()
  const rate = (remaining: number) => ({
    'x-ratelimit-limit': '100',
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': '60',
  })
  standIn.play(LIST, { headers: rate(21), json: v1List([]) })
  await list()
  standIn.play(LIST, { headers: rate(20), json: v1List([]) })
  await list({}, REFRESH)
  expect(await failureOf(list({}, REFRESH))).toMatchObject({ kind: 'saving_calls' })
  await list({}, PERSON)
  expect(standIn.calls).toHaveLength(3)
  clock.wait(60_999)
  expect(await failureOf(list({}, REFRESH))).toMatchObject({ kind: 'saving_calls' })
  clock.wait(1)
  await list({}, REFRESH)
  expect(standIn.calls).toHaveLength(4)
})

test.each([
  [10, 2],
  [5, 1],
  [3, 1],
])('with a limit of %d calls it reserves %d from background polls', async (limit, kept) => {
  const { standIn, list } = await startUpstream()
  const rate = (remaining: number) => ({
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
  })
  standIn.play(LIST, { headers: rate(kept + 1), json: v1List([]) })
  await list()
  standIn.play(LIST, { headers: rate(kept), json: v1List([]) })
  await list({}, REFRESH)
  expect(await failureOf(list({}, REFRESH))).toMatchObject({ kind: 'saving_calls' })
  await list({}, personOf('s-3'))
  expect(standIn.calls).toHaveLength(3)
})

test('never polls in the background where one call is a window', async () => {
  const { standIn, list, clock } = await startUpstream()
  const headers = { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' }
  standIn.play(LIST, { headers, json: v1List([]) })
  await list()
  clock.wait(61_000)
  expect(await failureOf(list({}, REFRESH))).toMatchObject({ kind: 'saving_calls' })
  expect(standIn.calls).toHaveLength(1)
  await list()
})

test.each([
  ['2026-04-01T00:00:00Z', '2026-04-01T00:00:00.000Z'],
  ['1775001600', '2026-04-01T00:00:00.000Z'],
  ['1775001600000', '2026-04-01T00:00:00.000Z'],
  ['soon', null],
])('reports the budget, demo data and a trial that ends %s', async (trial, expected) => {
  const { standIn, list, upstream, clock } = await startUpstream()
  standIn.play(LIST, {
    headers: {
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '4',
      'x-ratelimit-reset': String(clock.nowMs() / 1000 + 60),
      'x-trial-expires': trial,
      'x-lantern-data': 'demo',
      date: new Date(clock.nowMs()).toUTCString(),
    },
    json: v1List([]),
  })
  await list()
  expect(await upstream.state()).toMatchObject({
    isDemo: true,
    trialExpiresAt: expected,
    sets: {
      v1: {
        budgets: { minute: { limit: 5, remaining: 4, resetsAt: '2026-03-10T12:01:01.000Z' }, day: null },
      },
    },
  })
})

test('sends the keys that are current at each call', async () => {
  let generation = 0
  const keys = () => ({ apiKey: `key-${generation}` })
  const { standIn, list } = await startUpstream({ keys, generation: () => generation })
  await list()
  generation += 1
  await list()
  expect(standIn.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer key-0', 'Bearer key-1'])
})
