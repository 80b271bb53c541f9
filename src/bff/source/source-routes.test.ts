import { expect, test } from 'vitest'
import { sourceSchema } from '#contract/bff/source.ts'
import { createTestData } from '../../../test/support/ask-data.ts'
import { startStandInUpstream } from '../../../test/support/stand-in-upstream.ts'
import { v1List, v1Record } from '../../../test/support/upstream-records.ts'

test('tells before the first call what is known: nothing, at no call', async () => {
  const standIn = await startStandInUpstream()
  const { ask } = createTestData({ upstream: { url: standIn.url } })
  const unknown = { status: 'unknown', reason: null, budget: null, blockedUntil: null }
  expect(sourceSchema.parse(await (await ask('/bff/source')).json())).toEqual({
    kind: 'vendor',
    isDemo: false,
    key: 'unknown',
    sets: { v1: unknown, earlier: unknown },
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
  const { ask } = createTestData({ upstream: { url: standIn.url, kind: 'embedded' } })
  await ask('/bff/threats')
  const source = sourceSchema.parse(await (await ask('/bff/source')).json())
  expect(source).toMatchObject({
    kind: 'embedded',
    isDemo: true,
    key: 'valid',
    sets: { v1: { status: 'permitted', budget: { limit: 10, remaining: 9, resetsAt: null } } },
  })
  expect(source.categories.slice(5)).toEqual(['Defacement'])
  expect(standIn.calls).toHaveLength(1)
})
