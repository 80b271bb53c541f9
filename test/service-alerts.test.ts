import { expect, test, vi } from 'vitest'
import { alertListSchema, alertTestsSentSchema } from '#contract/bff/alert.ts'
import { startMailServer } from './support/delivery/stand-in-mail-server.ts'
import { refuseRecords } from './support/refuse-records.ts'
import { startOwnService } from './support/start-own-service.ts'
import { startSignedIn } from './support/start-signed-in.ts'
import { takeDatabase } from './support/with-database.ts'

const ALERTS = '/bff/alerts?timeZone=UTC'
const DRAFT = {
  name: 'Brands',
  keywords: ['northwind'],
  categories: [],
  email: ['soc@corp.example'],
  slack: null,
  teams: null,
}

test('people test, pause, change and delete profiles of our own service', async () => {
  const mailServer = await startMailServer()
  const service = await startOwnService(
    { earlierPlan: 'enterprise', v1Plan: 'defend' },
    {
      mail: mailServer.mail,
      domains: [],
      hosts: [],
      dashboardUrl: 'https://lantern.example',
      retentionDays: 90,
    },
  )
  const database = await takeDatabase('bff')
  const { ask } = await startSignedIn(database, {
    upstream: { url: service.url, apiKey: service.apiKey, kind: 'embedded' },
  })
  const list = async () => alertListSchema.parse(await (await ask(ALERTS)).json())
  const created = await ask(ALERTS, { body: DRAFT })
  expect(created.status).toBe(201)
  const { profile } = await created.json()
  const path = `/bff/alerts/${profile.id}`

  const tested = await ask(`${path}/test`, { method: 'POST' })
  expect(tested.status).toBe(202)
  expect(alertTestsSentSchema.parse(await tested.json()).sent).toHaveLength(1)
  await vi.waitUntil(() => mailServer.mails.length === 1, { timeout: 5_000 })
  const given = await ask('/bff/alerts/test', { body: { channel: 'email', destination: 'new@corp.example' } })
  expect(given.status).toBe(202)
  await vi.waitUntil(() => mailServer.mails.length === 2, { timeout: 5_000 })

  const alone = await ask(`${path}/destinations/email.0/test`, { method: 'POST' })
  expect([alone.status, alertTestsSentSchema.parse(await alone.json()).sent.length]).toEqual([202, 1])
  await vi.waitUntil(() => mailServer.mails.length === 3, { timeout: 5_000 })
  expect((await ask(`${path}/destinations/slack/test`, { method: 'POST' })).status).toBe(404)

  expect((await ask(path, { method: 'PUT', body: { state: 'paused' } })).status).toBe(204)
  expect((await list()).extension).toMatchObject({
    hasEmail: true,
    deliveries: { [profile.id]: { state: 'paused', lastSentAt: null, failures: 0 } },
  })
  const change = { state: 'active', name: 'Renamed', email: ['ciso@corp.example'] }
  expect((await ask(path, { method: 'PUT', body: change })).status).toBe(204)
  expect((await list()).profiles).toMatchObject([
    { name: 'Renamed', destinations: { email: ['c…@corp.example'] }, keywords: ['northwind'] },
  ])
  const refused = await ask(path, { method: 'PUT', body: { categories: ['No such'] } })
  expect([refused.status, (await refused.json()).code]).toEqual([422, 'alert_refused'])

  // What cannot be recorded is not done.
  await refuseRecords(database)
  expect((await ask(path, { method: 'PUT', body: { name: 'Unrecorded' } })).status).toBe(500)
  expect((await ask(path, { method: 'DELETE' })).status).toBe(500)
  expect((await ask(`${path}/test`, { method: 'POST' })).status).toBe(500)
  await database.query('alter table audit_record drop constraint refusing')
  const kept = await fetch(`${service.url}/api/alerts`, {
    headers: { authorization: `Bearer ${service.apiKey}` },
  })
  expect(await kept.json()).toMatchObject({ alert_profiles: [{ id: profile.id, name: 'Renamed' }] })
  expect(mailServer.mails).toHaveLength(3)

  expect((await ask(path, { method: 'DELETE' })).status).toBe(204)
  expect((await list()).profiles).toEqual([])
  expect((await ask(path, { method: 'DELETE' })).status).toBe(404)
  const { rows } = await database.query(
    `select action, object_name as name, after::text from audit_event where action like 'alert-%' order by id`,
  )
  expect(rows).toMatchObject([
    { action: 'alert-requested' },
    { action: 'alert-created' },
    { action: 'alert-tested' },
    { action: 'alert-tested' },
    { action: 'alert-tested', after: expect.stringContaining('email.0') },
    { action: 'alert-paused' },
    { action: 'alert-changed' },
    { action: 'alert-deleted', name: 'Renamed' },
  ])
  expect(JSON.stringify(rows)).not.toContain('ciso@')
})
