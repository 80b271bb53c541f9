import { describe, expect, test } from 'vitest'
import { sourceSchema } from '#contract/bff/source.ts'
import { createTestData } from '#test/support/ask-data.ts'
import { type StandInReply, startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { v1Detail } from '#test/support/upstream-records.ts'

const DETAIL = '/api/v1/threats/thr_1'
const PAGE = '/bff/threats/thr_1?set=v1'

test('reports all facts as unknown before the first call, without a call', async () => {
  const standIn = await startStandInUpstream()
  const { ask } = await createTestData({ upstream: { url: standIn.url } })
  const unknown = {
    status: 'unknown',
    reason: null,
    budgets: { minute: null, day: null },
    blockedUntil: null,
  }
  expect(sourceSchema.parse(await (await ask('/bff/source')).json())).toEqual({
    kind: 'vendor',
    isDemo: false,
    isOwnService: false,
    key: 'unknown',
    sets: { v1: unknown, earlier: unknown },
    window: { status: 'empty', from: null, to: null, threats: 0, lastReadAt: null, trouble: null },
    history: { days: 400, records: 300_000 },
    trialExpiresAt: null,
    categories: ['Ransomware', 'Data Breach', 'Initial Access', 'DDoS', 'Other'],
  })
  expect(standIn.calls).toEqual([])
})

test('reports what the answers declared', async () => {
  const standIn = await startStandInUpstream()
  standIn.play(DETAIL, {
    headers: { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9', 'x-lantern-data': 'demo' },
    json: { data: v1Detail() },
  })
  const { ask } = await createTestData({ upstream: { url: standIn.url, kind: 'embedded' } })
  await ask(PAGE)
  const source = sourceSchema.parse(await (await ask('/bff/source')).json())
  expect(source).toMatchObject({
    kind: 'embedded',
    isDemo: true,
    key: 'valid',
    sets: {
      v1: {
        status: 'permitted',
        budgets: { minute: { limit: 10, remaining: 9, resetsAt: '2026-03-10T12:01:01.000Z' }, day: null },
      },
    },
  })
  expect(standIn.calls).toHaveLength(1)
})

test('recognises Lantern’s own service by its header, without an extra call', async () => {
  const standIn = await startStandInUpstream()
  const { ask, wait } = await createTestData({ upstream: { url: standIn.url, kind: 'vendor' } })
  const isOwnService = async () => sourceSchema.parse(await (await ask('/bff/source')).json()).isOwnService
  standIn.play(DETAIL, { headers: { 'x-lantern-service': 'own' }, json: { data: v1Detail() } })
  await ask(PAGE)
  expect(await isOwnService()).toBe(true)
  standIn.play(DETAIL, { json: { data: v1Detail() } })
  wait(61_000)
  await ask(PAGE, { isRefresh: true })
  expect(await isOwnService()).toBe(false)
  expect(standIn.calls).toHaveLength(2)
})

test('knows the embedded service before its first answer', async () => {
  const { ask } = await createTestData({ upstream: { url: 'http://127.0.0.1:1', kind: 'embedded' } })
  expect(await (await ask('/bff/source')).json()).toMatchObject({ isOwnService: true })
})

describe('after a first call that brought no data', () => {
  const at = '2026-03-10T12:00:00.000Z'
  const failed = { why: 'unavailable', retryAt: null }
  test.each<[string, StandInReply, object]>([
    ['a failure', { status: 500, json: {} }, { status: 'unknown', failure: { at, ...failed } }],
    [
      'a web page',
      { raw: '<html>', headers: { 'content-type': 'text/html' } },
      { failure: { at, ...failed, why: 'web_page' } },
    ],
    [
      'a refused request',
      { status: 400, json: { error: 'No' } },
      { failure: { at, ...failed, why: 'refused' } },
    ],
    [
      'a refused key',
      { status: 401, json: { error: 'No' } },
      { failure: { at, why: 'key_refused', retryAt: '2026-03-10T12:15:00.000Z' } },
    ],
    [
      'a wait',
      { status: 429, headers: { 'retry-after': '40' }, json: { error: 'Wait' } },
      { failure: { at, why: 'told_to_wait', retryAt: '2026-03-10T12:00:41.000Z' } },
    ],
  ])('says of %s when and why, and when another is made', async (_, reply, expected) => {
    const standIn = await startStandInUpstream()
    standIn.play(DETAIL, reply)
    const { ask } = await createTestData({ upstream: { url: standIn.url } })
    await ask(PAGE)
    const { sets } = sourceSchema.parse(await (await ask('/bff/source')).json())
    expect(sets.v1).toMatchObject({ status: 'unknown', ...expected })
  })

  test('reports when an unreachable vendor is retried, until it answers', async () => {
    const standIn = await startStandInUpstream()
    let isDead = true
    const ids = ['thr_1', 'thr_2', 'thr_3']
    for (const id of ids)
      standIn.play(`/api/v1/threats/${id}`, () =>
        isDead ? { act: (response) => response.destroy() } : { json: { data: v1Detail({ id }) } },
      )
    const { ask, wait } = await createTestData({ upstream: { url: standIn.url } })
    const v1 = async () => sourceSchema.parse(await (await ask('/bff/source')).json()).sets.v1
    for (const id of ids) await ask(`/bff/threats/${id}?set=v1`)
    expect(await v1()).toMatchObject({
      status: 'unknown',
      failure: { at, why: 'unavailable', retryAt: '2026-03-10T12:00:30.000Z' },
    })
    isDead = false
    wait(31_000)
    expect(await v1()).toMatchObject({ failure: { at, retryAt: null } })
    await ask(PAGE, { isRefresh: true })
    expect(await v1()).not.toHaveProperty('failure')
    standIn.play(DETAIL, { status: 400, json: { error: 'No such category' } })
    await ask(PAGE, { isRefresh: true })
    expect(await v1()).not.toHaveProperty('failure')
  })

  test('says again that it was tried when a refusal by its plan has run out', async () => {
    const standIn = await startStandInUpstream()
    standIn.play('/api/v1/threats', { status: 403, json: { error: 'Upgrade' } })
    const { ask, wait, upstream } = await createTestData({ upstream: { url: standIn.url } })
    const v1 = async () => sourceSchema.parse(await (await ask('/bff/source')).json()).sets.v1
    const sync = { priority: 'window', who: null, session: null } as const
    await expect(upstream.call('listThreats', {}, sync)).rejects.toMatchObject({ kind: 'set_forbidden' })
    expect(await v1()).not.toHaveProperty('failure')
    wait(15 * 60_000)
    expect(await v1()).toMatchObject({ status: 'unknown', failure: { at, why: 'forbidden' } })
  })
})
