import { expect, test } from 'vitest'
import { startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { FEED, failureOf, LIST, PERSON, startUpstream } from '#test/support/start-upstream.ts'
import { v1List } from '#test/support/upstream-records.ts'

test('sends no request for 15 minutes after a 401, and permits neither set', async () => {
  const { standIn, list, listEarlier, upstream, clock } = await startUpstream()
  standIn.play(LIST, { status: 401, json: { error: 'Invalid key' } })
  expect(await failureOf(list())).toMatchObject({ kind: 'key_refused' })
  clock.wait(15 * 60_000 - 1)
  expect(await failureOf(list())).toMatchObject({ kind: 'key_refused' })
  expect(await failureOf(listEarlier())).toMatchObject({ kind: 'key_refused' })
  expect(standIn.calls).toHaveLength(1)
  expect((await upstream.state()).key).toBe('invalid')
  expect(upstream.permittedSets()).toEqual([])
})

const ALERTS = '/api/alerts'

test('a 404 for a cursor does not mean that the set is absent', async () => {
  const { standIn, list, upstream } = await startUpstream()
  standIn.play(LIST, { status: 404, json: { error: 'Not found' } })
  expect(await failureOf(list({ cursor: 'one' }))).toMatchObject({ kind: 'unreadable' })
  expect(upstream.permittedSets()).toEqual(['v1', 'earlier'])
})

test('reads the alert profiles of a vendor without a threat list, and requests no record', async () => {
  const { standIn, listEarlier, upstream, clock } = await startUpstream()
  standIn.play(ALERTS, { json: { alert_profiles: [] } })
  const listAlerts = () => upstream.call('listAlerts', {}, PERSON)
  const readThreat = () => upstream.call('readFeedThreat', { id: 'thr_1' }, PERSON)
  await listAlerts()
  for (let time = 0; time < 2; time++) {
    expect(await failureOf(listEarlier())).toMatchObject({ kind: 'set_absent' })
    expect(await listAlerts()).toEqual({ alert_profiles: [] })
    expect(upstream.permittedSets()).toEqual(['v1'])
    expect(await failureOf(readThreat())).toMatchObject({ kind: 'set_absent' })
  }
  const countLists = () => standIn.calls.filter(({ path }) => path === FEED).length
  expect(countLists()).toBe(1)
  expect((await upstream.state()).sets.earlier.status).toBe('withoutList')

  clock.wait(15 * 60_000)
  standIn.play(FEED, { json: { threats: [], pagination: { total: 0, has_more: false } } })
  await listEarlier()
  expect(upstream.permittedSets()).toEqual(['v1', 'earlier'])
})

test('requests each route of an absent earlier set only once', async () => {
  const { standIn, listEarlier, upstream } = await startUpstream()
  await failureOf(listEarlier())
  const listAlerts = () => upstream.call('listAlerts', {}, PERSON)
  for (let time = 0; time < 3; time++)
    expect(await failureOf(listAlerts())).toMatchObject({ kind: 'set_absent' })
  expect(standIn.calls.map(({ path }) => path)).toEqual([FEED, ALERTS])
})

test('only a route outside the plan is refused, and not requested again for 15 minutes', async () => {
  const { standIn, list, upstream, clock } = await startUpstream()
  const listActors = () => upstream.call('listActors', {}, PERSON)
  standIn.play('/api/v1/threat-actors', { status: 403, json: { error: 'Not for trial keys' } })
  expect(await failureOf(listActors())).toMatchObject({
    kind: 'route_forbidden',
    words: 'Not for trial keys',
  })
  clock.wait(15 * 60_000 - 1)
  expect(await failureOf(listActors())).toMatchObject({
    kind: 'route_forbidden',
    words: 'Not for trial keys',
  })
  expect(standIn.calls).toHaveLength(1)
  expect(upstream.permittedSets()).toEqual(['v1', 'earlier'])
  await list()
  expect((await upstream.state()).sets.v1.status).toBe('permitted')

  standIn.play('/api/v1/threat-actors', { json: { data: [] } })
  clock.wait(1)
  expect(await listActors()).toEqual({ data: [] })
})

test('a refused route closes the whole earlier set, unless one of its routes has answered', async () => {
  const { standIn, listEarlier, upstream, clock } = await startUpstream()
  const words = 'Professional or Enterprise is needed'
  const listAlerts = () => failureOf(upstream.call('listAlerts', {}, PERSON))
  standIn.play('/api/alerts', { status: 403, json: { error: words } })
  standIn.play('/api/metrics', { json: {} })
  await listAlerts()
  expect(await failureOf(upstream.call('readMetrics', {}, PERSON))).toMatchObject({ kind: 'set_forbidden' })
  expect(standIn.calls).toHaveLength(1)
  expect((await upstream.state()).sets.earlier).toMatchObject({ status: 'forbidden', reason: words })

  clock.wait(15 * 60_000)
  standIn.play(FEED, { json: {} })
  await listEarlier()
  expect(await listAlerts()).toMatchObject({ kind: 'route_forbidden' })
  expect((await upstream.state()).sets.earlier.status).toBe('permitted')
  await upstream.call('readMetrics', {}, PERSON)
})

test.each([
  [401, 'unreadable', '<html>Sign in to the network</html>'],
  [401, 'unreadable', '{"error":{"code":"captive"}}'],
  [403, 'unavailable', '<html>Request blocked</html>'],
  [403, 'unavailable', ''],
])('a %d that is not the vendor’s own is %s, and refuses nothing: %j', async (status, kind, raw) => {
  const { standIn, list, upstream } = await startUpstream()
  await list()
  standIn.play(LIST, { status, raw })
  expect(await failureOf(list())).toMatchObject({ kind })
  expect(await upstream.state()).toMatchObject({ key: 'valid', sets: { v1: { status: 'permitted' } } })
  expect(upstream.permittedSets()).toEqual(['v1', 'earlier'])
  standIn.play(LIST, { json: v1List([]) })
  await list()
})

test('a page of a firewall for one record does not say that it lies outside the plan', async () => {
  const { standIn, upstream } = await startUpstream()
  standIn.play(`${LIST}/thr_1`, { status: 403, raw: '<html>Request blocked</html>' })
  expect(await failureOf(upstream.call('readThreat', { id: 'thr_1' }, PERSON))).toMatchObject({
    kind: 'unavailable',
  })
})

test.each([{ error: 'Invalid key' }, { error: true, message: 'Invalid key' }])(
  'takes a 401 with %j as the refusal of the key',
  async (json) => {
    const { standIn, list } = await startUpstream()
    standIn.play(LIST, { status: 401, json })
    expect(await failureOf(list())).toMatchObject({ kind: 'key_refused' })
  },
)

test('a record or a time outside the data window does not forbid the set', async () => {
  const { standIn, list, upstream } = await startUpstream()
  await list()
  standIn.play(LIST, { status: 403, json: { error: 'Outside the window' } })
  standIn.play(`${LIST}/old`, { status: 403, json: { error: 'Outside the window' } })
  expect(await failureOf(list({ since: '2020-01-01' }))).toMatchObject({ kind: 'forbidden' })
  expect(await failureOf(upstream.call('readThreat', { id: 'old' }, PERSON))).toMatchObject({
    kind: 'forbidden',
  })
  expect((await upstream.state()).sets.v1.status).toBe('permitted')
})

test('makes no call on a set until the time that a 429 named', async () => {
  const { standIn, list, listEarlier, upstream, clock } = await startUpstream()
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
  const { standIn, list } = await startUpstream()
  standIn.play(LIST, { status: 429, json: { error: 'Daily limit', retry_after: 7200 } })
  expect(await failureOf(list())).toMatchObject({ kind: 'daily_limit_reached' })
})

test('reads a reset by the clock of the vendor, which may be wrong', async () => {
  const { standIn, list, clock } = await startUpstream()
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
  [404, 'set_absent', 1],
  [500, 'unavailable', 2],
  [503, 'unavailable', 2],
  [204, 'unreadable', 1],
  [206, 'unreadable', 1],
  [418, 'unreadable', 1],
])('takes a %d as %s, after that many calls: %d', async (status, kind, calls) => {
  const { standIn, list } = await startUpstream()
  standIn.play(LIST, { status, raw: '' })
  expect(await failureOf(list())).toMatchObject({ kind })
  expect(standIn.calls).toHaveLength(calls)
})

test.each([
  [404, 'not_found'],
  [410, 'not_found'],
  [400, 'id_refused'],
] as const)('takes a %d to a question for one record as %s', async (status, kind) => {
  const { standIn, upstream } = await startUpstream()
  standIn.play(`${LIST}/thr_1`, { status, json: { error: 'Invalid id' } })
  expect(await failureOf(upstream.call('readThreat', { id: 'thr_1' }, PERSON))).toMatchObject({ kind })
})

test('does not follow a redirect', async () => {
  const { standIn, list } = await startUpstream()
  const elsewhere = await startStandInUpstream()
  standIn.play(LIST, { status: 307, headers: { location: `${elsewhere.url}/api/v1/threats` }, raw: '' })
  expect(await failureOf(list())).toMatchObject({ kind: 'web_page' })
  expect(elsewhere.calls).toEqual([])
})
