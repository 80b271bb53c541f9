import { expect, test } from 'vitest'
import { alertListSchema, alertTestsSentSchema } from '#contract/bff/alert.ts'
import { ledgerSchema } from '#contract/bff/delivery-ledger.ts'
import { ADMIN } from './support/ask-bff.ts'
import { aMatch, enqueueTo } from './support/delivery/deliveries.ts'
import { startMailServer } from './support/delivery/stand-in-mail-server.ts'
import { refuseRecords } from './support/refuse-records.ts'
import { startOwnService } from './support/start-own-service.ts'
import { startSignedIn } from './support/start-signed-in.ts'
import { takeDatabase } from './support/with-database.ts'

const ALERTS = '/bff/alerts?timeZone=UTC'
const SECRET = 'secret-of-the-tests-and-long-enough'
const DRAFT = {
  name: 'Brands',
  keywords: ['northwind'],
  categories: [],
  email: [ADMIN.email],
  slack: null,
  teams: null,
}

/** The dashboard with a mail server and a profile of our own service. */
async function open() {
  const mailServer = await startMailServer()
  const service = await startOwnService({ earlierPlan: 'enterprise', v1Plan: 'defend' })
  const database = await takeDatabase('bff')
  const { ask } = await startSignedIn(database, {
    upstream: { url: service.url, apiKey: service.apiKey, kind: 'embedded' },
    notify: { mail: mailServer.mail, domains: [], hosts: [] },
    secret: SECRET,
  })
  const created = await ask(ALERTS, { body: DRAFT })
  expect(created.status).toBe(201)
  const { profile } = await created.json()
  return {
    mailServer,
    service,
    database,
    ask,
    profile,
    path: `/bff/alerts/${profile.id}`,
    list: async () => alertListSchema.parse(await (await ask(ALERTS)).json()),
    ledger: async (query = '') =>
      ledgerSchema.parse(await (await ask(`/bff/deliveries${query}`)).json()).deliveries,
  }
}

test('the dashboard sends tests of a profile, of one destination and of a new one', async () => {
  const { ask, path, profile, mailServer, ledger } = await open()
  const testOf = async (address: string, body?: object) => {
    const tested = await ask(address, { method: 'POST', body })
    expect(tested.status).toBe(202)
    return alertTestsSentSchema.parse(await tested.json()).sent.map(({ id }) => id)
  }
  const ids = [
    ...(await testOf(`${path}/test`)),
    ...(await testOf(`${path}/destinations/email.0/test`)),
    ...(await testOf('/bff/alerts/test', { channel: 'email', destination: ADMIN.email })),
  ]
  const causes = [{ id: profile.id, name: 'Brands' }]
  expect(await ledger()).toMatchObject([
    { id: ids[2], kind: 'test', causes: [] },
    { id: ids[1], kind: 'test', causes },
    { id: ids[0], kind: 'test', causes, destination: 'a…@example.com' },
  ])
  await expect.poll(() => mailServer.mails).toHaveLength(3)
  expect((await ask(`${path}/destinations/slack/test`, { method: 'POST' })).status).toBe(404)
  const inside = { channel: 'slack', destination: 'https://10.0.0.1/x' }
  expect((await ask('/bff/alerts/test', { body: inside })).status).toBe(400)
})

test('what waits of a profile is not sent once it is paused or deleted', async () => {
  const { ask, path, profile, mailServer, database, list, ledger } = await open()
  mailServer.state.isUp = false
  const enqueue = (id: string) => {
    const cause = { id: profile.id, name: 'Brands', isTeam: true } as const
    const destinations = [{ channel: 'email', destination: ADMIN.email }]
    return enqueueTo(database, [aMatch(id, { cause, destinations })], { secret: SECRET })
  }
  await enqueue('t1')
  await expect.poll(() => mailServer.state.refused).toBeGreaterThan(0)
  await expect.poll(() => ledger('?state=retrying')).toHaveLength(1)
  expect((await ask(path, { method: 'PUT', body: { state: 'paused' } })).status).toBe(204)
  expect(await ledger()).toMatchObject([{ state: 'notSent', reason: 'paused' }])
  expect((await list()).extension).toMatchObject({
    hasEmail: true,
    deliveries: { [profile.id]: { state: 'paused', lastSentAt: null, failures: 0 } },
  })
  expect((await ask(path, { method: 'PUT', body: { state: 'active' } })).status).toBe(204)
  expect((await list()).extension?.deliveries[profile.id]?.state).toBe('active')

  await enqueue('t2')
  await expect.poll(() => ledger()).toHaveLength(2)
  expect((await ask(path, { method: 'DELETE' })).status).toBe(204)
  expect((await ledger()).map(({ reason }) => reason)).toEqual(['deleted', 'paused'])
  expect(mailServer.mails).toEqual([])
})

test('people change and delete profiles of our own service, and what cannot be recorded is not done', async () => {
  const { ask, path, profile, service, database, list } = await open()
  const change = { name: 'Renamed', email: ['ciso@corp.example'] }
  expect((await ask(path, { method: 'PUT', body: change })).status).toBe(204)
  expect((await list()).profiles).toMatchObject([
    { name: 'Renamed', destinations: { email: ['c…@corp.example'] }, keywords: ['northwind'] },
  ])
  const refused = await ask(path, { method: 'PUT', body: { categories: ['No such'] } })
  expect([refused.status, (await refused.json()).code]).toEqual([422, 'alert_refused'])

  await refuseRecords(database)
  expect((await ask(path, { method: 'PUT', body: { name: 'Unrecorded' } })).status).toBe(500)
  expect((await ask(path, { method: 'DELETE' })).status).toBe(500)
  expect((await ask(`${path}/test`, { method: 'POST' })).status).toBe(500)
  await database.query('alter table audit_record drop constraint refusing')
  const kept = await fetch(`${service.url}/api/alerts`, {
    headers: { authorization: `Bearer ${service.apiKey}` },
  })
  expect(await kept.json()).toMatchObject({ alert_profiles: [{ id: profile.id, name: 'Renamed' }] })
  expect((await database.query('select from delivery')).rowCount).toBe(0)

  expect((await ask(path, { method: 'PUT', body: { state: 'paused' } })).status).toBe(204)
  expect((await ask(path, { method: 'DELETE' })).status).toBe(204)
  expect((await list()).profiles).toEqual([])
  expect((await ask(path, { method: 'DELETE' })).status).toBe(404)
  expect((await ask(`${path}/test`, { method: 'POST' })).status).toBe(404)
  const { rows } = await database.query(
    `select action, object_name as name, after::text from audit_event where action like 'alert-%' order by id`,
  )
  expect(rows).toMatchObject([
    { action: 'alert-requested' },
    { action: 'alert-created' },
    { action: 'alert-requested' },
    { action: 'alert-changed' },
    { action: 'alert-requested' },
    { action: 'alert-refused' },
    { action: 'alert-requested' },
    { action: 'alert-paused' },
    { action: 'alert-requested' },
    { action: 'alert-deleted', name: 'Renamed' },
    { action: 'alert-requested' },
    { action: 'alert-refused' },
  ])
  expect(JSON.stringify(rows)).not.toContain('ciso@')
})
