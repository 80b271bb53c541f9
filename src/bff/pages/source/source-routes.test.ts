import { expect, test } from 'vitest'
import { sourceSchema } from '#contract/bff/source.ts'
import { createTestData } from '#test/support/ask-data.ts'
import { startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { v1List, v1Record } from '#test/support/upstream-records.ts'

test('tells before the first call what is known: nothing, at no call', async () => {
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
    trialExpiresAt: null,
    categories: ['Ransomware', 'Data Breach', 'Initial Access', 'DDoS', 'Other'],
  })
  expect(standIn.calls).toEqual([])
})

test('tells afterwards what answers said, categories of records with them', async () => {
  const standIn = await startStandInUpstream()
  standIn.play('/api/v1/threats', {
    headers: { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9', 'x-lantern-data': 'demo' },
    json: v1List([v1Record({ category: 'Defacement' }), v1Record({ category: 'x'.repeat(65) })]),
  })
  const { ask } = await createTestData({ upstream: { url: standIn.url, kind: 'embedded' } })
  await ask('/bff/threats')
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
  expect(source.categories.slice(5)).toEqual(['Defacement'])
  expect(standIn.calls).toHaveLength(1)
})

test('knows our own service by its header, wherever it runs, at no call more', async () => {
  const standIn = await startStandInUpstream()
  const { ask, wait } = await createTestData({ upstream: { url: standIn.url, kind: 'vendor' } })
  const isOwnService = async () => sourceSchema.parse(await (await ask('/bff/source')).json()).isOwnService
  standIn.play('/api/v1/threats', { headers: { 'x-lantern-service': 'own' }, json: v1List([]) })
  await ask('/bff/threats')
  expect(await isOwnService()).toBe(true)
  standIn.play('/api/v1/threats', { json: v1List([]) })
  wait(61_000)
  await ask('/bff/threats', { isRefresh: true })
  expect(await isOwnService()).toBe(false)
  expect(standIn.calls).toHaveLength(2)
})

test('knows the embedded service before its first answer', async () => {
  const { ask } = await createTestData({ upstream: { url: 'http://127.0.0.1:1', kind: 'embedded' } })
  expect(await (await ask('/bff/source')).json()).toMatchObject({ isOwnService: true })
})
