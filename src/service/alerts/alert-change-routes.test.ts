import { expect, test } from 'vitest'
import { alertProfileStatesSchema } from '#contract/upstream/earlier/alert-profile.ts'
import { createTestService } from '#test/support/service/create-test-service.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const ACME = { earlierPlan: 'professional' } as const
const SLACK = 'https://hooks.slack.com/services/T0/B0/x'

async function open() {
  const database = await takeDatabase('service')
  const { ask } = await createTestService(database, ACME)
  const body = {
    name: 'Brands',
    keywords: ['northwind'],
    notifications: { email: ['soc@acme.example'], slack: SLACK },
  }
  const { id } = await (await ask('/api/alerts', { body })).json()
  return {
    database,
    ask,
    id,
    change: (change: object) => ask(`/api/alerts/${id}`, { method: 'PUT', body: change }),
    list: async () =>
      alertProfileStatesSchema.parse(await (await ask('/api/alert-profiles')).json()).alert_profiles,
  }
}

test('lists the profiles of one account with their states and destinations', async () => {
  const { database, id, change, list } = await open()
  const globex = await createTestService(database, { ...ACME, account: 'globex' })
  expect(await list()).toMatchObject([
    { id, state: 'active', notifications: { email: ['soc@acme.example'], slack: SLACK, teams: null } },
  ])
  expect((await change({ state: 'paused' })).status).toBe(200)
  expect(await list()).toMatchObject([{ id, state: 'paused' }])
  expect(await (await globex.ask('/api/alert-profiles')).json()).toEqual({ alert_profiles: [] })
})

test('changes what is given, and deletes a profile once', async () => {
  const { ask, id, change, list } = await open()
  const changed = await change({ name: 'Renamed', notifications: { slack: null } })
  expect(await changed.json()).toMatchObject({
    name: 'Renamed',
    keywords: ['northwind'],
    notifications: { email: ['soc@acme.example'], slack: null },
  })
  expect((await ask(`/api/alerts/${id}`, { method: 'DELETE' })).status).toBe(200)
  expect(await list()).toEqual([])
  expect((await ask(`/api/alerts/${id}`, { method: 'DELETE' })).status).toBe(404)
  expect((await change({ state: 'active' })).status).toBe(404)
})

test('counts as requests only what the reference has', async () => {
  const { database, ask, id, change, list } = await open()
  await list()
  await change({ state: 'paused' })
  await ask(`/api/alerts/${id}`, { method: 'DELETE' })
  const { rows } = await database.query('select sum(requests)::integer as counted from request_day')
  expect(rows).toEqual([{ counted: 1 }])
})
