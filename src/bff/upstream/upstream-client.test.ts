import { expect, test } from 'vitest'
import { createLog } from '#bff/log.ts'
import { startStandInUpstream } from '../../../test/support/stand-in-upstream.ts'
import { createVirtualClock, personOf } from '../../../test/support/start-governed.ts'
import { v1List, v1Record } from '../../../test/support/upstream-records.ts'
import { takeDatabase } from '../../../test/support/with-database.ts'
import type { Caller } from './caller.ts'
import { createUpstream, type UpstreamOptions } from './upstream-client.ts'
import { UpstreamError } from './upstream-error.ts'

const LIST = '/api/v1/threats'
const FEED = '/api/feed'
const PERSON = personOf('s-1')
const REFRESH: Caller = { ...personOf('s-2'), priority: 'refresh' }

async function start(options: Partial<UpstreamOptions> = {}) {
  const standIn = await startStandInUpstream()
  standIn.play(LIST, { json: v1List([v1Record()]) })
  const clock = createVirtualClock()
  const logged: string[] = []
  const log = createLog((line) => logged.push(line))
  const database = await takeDatabase('bff')
  const upstream = createUpstream({ url: standIn.url, apiKey: 'the-key', database, clock, log, ...options })
  const list = (query = {}, caller = PERSON) => upstream.call('listThreats', { query }, caller)
  const listEarlier = () => upstream.call('listFeed', {}, PERSON)
  return { standIn, clock, logged, upstream, list, listEarlier }
}

async function failureOf(call: Promise<unknown>): Promise<UpstreamError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof UpstreamError) return error
  throw new Error('the call did not fail upstream', { cause: error })
}

test('sends the key, what it accepts and who it is, and no other header', async () => {
  const { standIn, list } = await start()
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

test('asks the earlier set with its own key where there is one', async () => {
  const { standIn, listEarlier, list } = await start({ earlierApiKey: 'the-earlier-key' })
  standIn.play(FEED, { json: {} })
  await listEarlier()
  await list()
  expect(standIn.calls.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer the-earlier-key',
    'Bearer the-key',
  ])
})

test.each(['..', '.', 'a/b', 'a?b', 'a%2e', '', 'ä'])('never sends the id %j', async (id) => {
  const { standIn, upstream } = await start()
  await expect(upstream.call('readThreat', { id }, PERSON)).rejects.toThrow()
  expect(standIn.calls).toEqual([])
})

test('never sends a parameter that the route does not have', async () => {
  const { standIn, list } = await start()
  await expect(list({ api_key: '1' })).rejects.toThrow('no parameter')
  expect(standIn.calls).toEqual([])
})

test('without a key it makes no call and says that one is missing', async () => {
  const { standIn, list, upstream } = await start({ apiKey: undefined })
  expect(await failureOf(list())).toMatchObject({ kind: 'key_missing' })
  expect((await upstream.state()).key).toBe('missing')
  expect(upstream.permittedSets()).toEqual([])
  expect(standIn.calls).toEqual([])
})

test('after one 401 it never asks with that key again', async () => {
  const { standIn, list, listEarlier, upstream, clock } = await start()
  standIn.play(LIST, { status: 401, json: { error: 'Invalid key' } })
  expect(await failureOf(list())).toMatchObject({ kind: 'key_invalid' })
  clock.wait(86_400_000)
  expect(await failureOf(list())).toMatchObject({ kind: 'key_invalid' })
  expect(await failureOf(listEarlier())).toMatchObject({ kind: 'key_invalid' })
  expect(standIn.calls).toHaveLength(1)
  expect((await upstream.state()).key).toBe('invalid')
})

test('a key that serves both sets and is refused on one permits neither', async () => {
  const { standIn, list, upstream } = await start()
  standIn.play(LIST, { status: 401, json: { error: 'Invalid key' } })
  await failureOf(list())
  expect(upstream.permittedSets()).toEqual([])
})

test('a place of a list that is gone does not say that the set is', async () => {
  const { standIn, list, upstream } = await start()
  standIn.play(LIST, { status: 404, json: { error: 'Not found' } })
  expect(await failureOf(list({ cursor: 'one' }))).toMatchObject({ kind: 'unreadable' })
  expect(upstream.permittedSets()).toEqual(['v1', 'earlier'])
})

test('remembers for 15 minutes that the plan does not include a set', async () => {
  const { standIn, list, upstream, clock } = await start()
  standIn.play(LIST, { status: 403, json: { error: 'Your plan has no v1 access' } })
  expect(await failureOf(list())).toMatchObject({ kind: 'set_forbidden', set: 'v1' })
  clock.wait(15 * 60_000 - 1)
  expect(await failureOf(list())).toMatchObject({ kind: 'set_forbidden' })
  expect(standIn.calls).toHaveLength(1)
  expect(upstream.permittedSets()).toEqual(['earlier'])
  expect(await upstream.state()).toMatchObject({
    key: 'valid',
    sets: { v1: { status: 'forbidden', reason: 'Your plan has no v1 access' } },
  })

  standIn.play(LIST, { json: v1List([]) })
  clock.wait(1)
  await list()
  expect((await upstream.state()).sets.v1.status).toBe('permitted')
})

test.each([
  [401, 'unreadable', '<html>Sign in to the network</html>'],
  [401, 'unreadable', '{"error":{"code":"captive"}}'],
  [403, 'unavailable', '<html>Request blocked</html>'],
  [403, 'unavailable', ''],
])('a %d that is not the vendor’s own is %s, and refuses nothing: %j', async (status, kind, raw) => {
  const { standIn, list, upstream } = await start()
  await list()
  standIn.play(LIST, { status, raw })
  expect(await failureOf(list())).toMatchObject({ kind })
  expect(await upstream.state()).toMatchObject({ key: 'valid', sets: { v1: { status: 'permitted' } } })
  expect(upstream.permittedSets()).toEqual(['v1', 'earlier'])
  standIn.play(LIST, { json: v1List([]) })
  await list()
})

test('a page of a firewall for one record does not say that it lies outside the plan', async () => {
  const { standIn, upstream } = await start()
  standIn.play(`${LIST}/thr_1`, { status: 403, raw: '<html>Request blocked</html>' })
  expect(await failureOf(upstream.call('readThreat', { id: 'thr_1' }, PERSON))).toMatchObject({
    kind: 'unavailable',
  })
})

test.each([{ error: 'Invalid key' }, { error: true, message: 'Invalid key' }])(
  'takes a 401 with %j as the refusal of the key',
  async (json) => {
    const { standIn, list } = await start()
    standIn.play(LIST, { status: 401, json })
    expect(await failureOf(list())).toMatchObject({ kind: 'key_invalid' })
  },
)

test('a record or a time outside the data window does not forbid the set', async () => {
  const { standIn, list, upstream } = await start()
  await list()
  standIn.play(LIST, { status: 403, json: { error: 'Outside the window' } })
  standIn.play(`${LIST}/old`, { status: 403, json: { error: 'Outside the window' } })
  expect(await failureOf(list({ since: '2020-01-01' }))).toMatchObject({ kind: 'forbidden' })
  expect(await failureOf(upstream.call('readThreat', { id: 'old' }, PERSON))).toMatchObject({
    kind: 'forbidden',
  })
  expect((await upstream.state()).sets.v1.status).toBe('permitted')
})

test('makes no call on a set until the time that a 429 named, and then goes on', async () => {
  const { standIn, list, listEarlier, upstream, clock } = await start()
  standIn.play(LIST, { status: 429, json: { error: 'Slow down', retry_after: 37 } })
  standIn.play(FEED, { json: {} })
  const retryAtMs = clock.nowMs() + 38_000
  expect(await failureOf(list())).toMatchObject({ kind: 'rate_limited', retryAtMs })
  standIn.play(LIST, { json: v1List([]) })
  clock.wait(37_999)
  expect(await failureOf(list())).toMatchObject({ kind: 'rate_limited', retryAtMs })
  expect((await upstream.state()).sets.v1.blockedUntil).toBe(new Date(retryAtMs).toISOString())
  expect(standIn.calls).toHaveLength(1)
  await listEarlier()

  clock.wait(1)
  await list()
  expect((await upstream.state()).sets.v1.blockedUntil).toBeNull()
})

test('a wait of more than an hour is the daily limit', async () => {
  const { standIn, list } = await start()
  standIn.play(LIST, { status: 429, json: { error: 'Daily limit', retry_after: 7200 } })
  expect(await failureOf(list())).toMatchObject({ kind: 'daily_limit_reached' })
})

test('reads a reset by the clock of the vendor, which may be wrong', async () => {
  const { standIn, list, clock } = await start()
  const vendorNow = clock.nowMs() + 86_400_000
  standIn.play(LIST, {
    status: 429,
    headers: {
      date: new Date(vendorNow).toUTCString(),
      'x-ratelimit-reset': String(vendorNow / 1000 + 30),
    },
    json: { error: 'wait' },
  })
  expect(await failureOf(list())).toMatchObject({ retryAtMs: clock.nowMs() + 31_000 })
})

test.each([
  [400, 'rejected', 1],
  [404, 'set_forbidden', 1],
  [500, 'unavailable', 2],
  [503, 'unavailable', 2],
  [204, 'unreadable', 1],
  [206, 'unreadable', 1],
  [418, 'unreadable', 1],
])('takes a %d as %s, after that many calls: %d', async (status, kind, calls) => {
  const { standIn, list } = await start()
  standIn.play(LIST, { status, raw: '' })
  expect(await failureOf(list())).toMatchObject({ kind })
  expect(standIn.calls).toHaveLength(calls)
})

test.each([400, 404])('takes a %d to a question for one record as its absence', async (status) => {
  const { standIn, upstream } = await start()
  standIn.play(`${LIST}/thr_1`, { status, json: { error: 'Invalid id' } })
  expect(await failureOf(upstream.call('readThreat', { id: 'thr_1' }, PERSON))).toMatchObject({
    kind: 'not_found',
  })
})

test('does not follow a redirect', async () => {
  const { standIn, list } = await start()
  const elsewhere = await startStandInUpstream()
  standIn.play(LIST, { status: 307, headers: { location: `${elsewhere.url}/api/v1/threats` }, raw: '' })
  expect(await failureOf(list())).toMatchObject({ kind: 'unreadable' })
  expect(elsewhere.calls).toEqual([])
})

test('keeps background polls from the last fifth of a window, until it starts anew', async () => {
  const { standIn, list, clock } = await start()
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
])('of %d calls a window it keeps %d from background polls', async (limit, kept) => {
  const { standIn, list } = await start()
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
  const { standIn, list, clock } = await start()
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
])('tells of the budget, of demo data and of a trial that ends %s', async (trial, expected) => {
  const { standIn, list, upstream, clock } = await start()
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
