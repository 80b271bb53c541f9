import { expect, test } from 'vitest'
import { ledgerSchema } from '#contract/bff/delivery-ledger.ts'
import { sourceSchema } from '#contract/bff/source.ts'
import { insertThreats } from '#service/threats/insert-threats.ts'
import { startMailServer } from './support/delivery/stand-in-mail-server.ts'
import { makeThreat } from './support/service/make-threat.ts'
import { startOwnService } from './support/start-own-service.ts'
import { startSignedIn } from './support/start-signed-in.ts'
import { takeDatabase } from './support/with-database.ts'

const ALERTS = '/bff/alerts?timeZone=UTC'
const DRAFT = { name: 'Brands', keywords: ['northwind'], categories: [], slack: null, teams: null }
const WITHIN = { timeout: 15_000 }

/** Our own service, another client of its API, and a dashboard that sends mail. */
async function open() {
  const mailServer = await startMailServer()
  const service = await startOwnService({ earlierPlan: 'enterprise', v1Plan: 'defend' })
  const database = await takeDatabase('bff')
  const { ask, port } = await startSignedIn(database, {
    upstream: { url: service.url, apiKey: service.apiKey, kind: 'embedded' },
    notify: { mail: mailServer.mail, domains: [], hosts: [], retentionDays: 90 },
  })
  const window = async () => sourceSchema.parse(await (await ask('/bff/source')).json()).window
  await expect.poll(async () => (await window()).lastReadAt, WITHIN).not.toBeNull()
  const askService = (path: string, { method = 'GET', body }: { method?: string; body?: object } = {}) =>
    fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  return {
    ask,
    port,
    askService,
    closeService: service.close,
    database,
    publish: (title: string, facts: Parameters<typeof makeThreat>[0] = {}) =>
      insertThreats(service.database, [
        makeThreat({ title, publishedAt: new Date().toISOString(), ...facts }),
      ]),
    recipients: () => mailServer.mails.flatMap(({ to }) => to).toSorted(),
    ledger: async (query = '') => ledgerSchema.parse(await (await ask(`/bff/deliveries${query}`)).json()),
    mails: mailServer.mails,
  }
}

test('the dashboard sends what profiles of our own service match, whoever made them, once', async () => {
  const { ask, askService, publish, recipients, ledger, mails, database } = await open()
  expect((await ask(ALERTS, { body: { ...DRAFT, email: ['soc@corp.example'] } })).status).toBe(201)
  const notifications = { email: ['client@corp.example'] }
  const made = await askService('/api/alerts', {
    method: 'POST',
    body: { name: 'By a client', keywords: ['north wind', 'northwind'], notifications },
  })
  const { id } = await made.json()
  await publish('Northwind Foods')
  await expect.poll(recipients, WITHIN).toEqual(['client@corp.example', 'soc@corp.example'])
  const text = mails.map(({ source }) => source.replaceAll('=\r\n', '')).join()
  // Of one threat, the link leads to it.
  expect(text).toMatch(/http:\S+\/threats\/[\w-]+/)
  expect(text).not.toMatch(/\/threats\?/)
  const sent = async () => (await ledger('?state=sent')).deliveries.map(({ causes }) => causes[0]?.name)
  await expect.poll(sent).toHaveLength(2)
  expect((await sent()).toSorted()).toEqual(['Brands', 'By a client'])
  const listed = await (await askService('/api/alerts')).json()
  expect(listed).toMatchObject({ alert_profiles: [{ triggered_count: 1 }, { triggered_count: 1 }] })

  expect((await askService(`/api/alerts/${id}`, { method: 'PUT', body: { state: 'paused' } })).status).toBe(
    200,
  )
  await database.query('update delivery_destination set gathers_until = null, free_at = null')
  await publish('Northwind Foods again')
  const unsent = async () => (await ledger('?state=notSent')).deliveries
  await expect.poll(unsent, WITHIN).toMatchObject([{ reason: 'paused', causes: [{ id }] }])
  await expect.poll(() => recipients().length, WITHIN).toBe(3)
  expect(recipients().filter((to) => to === 'client@corp.example')).toHaveLength(1)
})

test('whoever was taken off a profile receives nothing that waits', async () => {
  const { ask, askService, publish, recipients, ledger, database } = await open()
  const made = await ask(ALERTS, { body: { ...DRAFT, email: ['gone@corp.example', 'soc@corp.example'] } })
  const { profile } = await made.json()
  await database.query(`create function hold() returns trigger language plpgsql as $$
    begin new.next_attempt_at = case when new.state = 'queued' then now() + interval '4 seconds' end; return new; end $$`)
  await database.query('create trigger hold before insert on delivery for each row execute function hold()')
  await publish('Northwind Foods')
  await expect.poll(async () => (await ledger()).counts.queued, WITHIN).toBe(2)
  const change = { notifications: { email: ['soc@corp.example'] } }
  expect((await askService(`/api/alerts/${profile.id}`, { method: 'PUT', body: change })).status).toBe(200)
  await publish('Something else')
  await expect.poll(recipients, WITHIN).toEqual(['soc@corp.example'])
  await expect
    .poll(async () => (await ledger('?state=notSent')).deliveries, WITHIN)
    .toMatchObject([{ reason: 'removed' }])
  expect(recipients()).toEqual(['soc@corp.example'])
})

test('a mute keeps matches of a profile of our own service from being sent', async () => {
  const { ask, publish, recipients, database } = await open()
  const made = await ask(ALERTS, { body: { ...DRAFT, email: ['soc@corp.example'] } })
  const { id } = (await made.json()).profile
  const mutes = `/bff/alert-profiles/${id}/mutes`
  const body = { kind: 'actor', name: 'Ashfall', days: null, reason: 'Not ours' }
  await expect.poll(async () => (await ask(mutes, { body })).status, WITHIN).toBe(201)
  await publish('Northwind by Ashfall', { threatActors: ['ASHFALL'] })
  const muted = async () => (await ask(mutes)).json()
  await expect.poll(muted, WITHIN).toMatchObject({ mutes: [{ mutedCount: 1 }], canChange: true })
  await publish('Northwind by another', { threatActors: ['Emberfox'] })
  await expect.poll(recipients, WITHIN).toEqual(['soc@corp.example'])
  expect((await database.query('select from delivery_match')).rowCount).toBe(1)
})

test('one press on the link of a mail takes its address off the profile of our own service', async () => {
  const { ask, port, askService, closeService, publish, recipients, ledger, mails, database } = await open()
  const email = ['Gone@corp.example', 'soc@corp.example']
  const made = await askService('/api/alerts', {
    method: 'POST',
    body: { name: 'By a client', keywords: ['northwind'], notifications: { email } },
  })
  const { id } = await made.json()
  await publish('Northwind Foods')
  await expect.poll(recipients, WITHIN).toEqual(email)
  const links = new Map(
    mails.map(({ to, source }) => {
      const [, link = ''] = /(\/unsubscribe\/[\w-]{43})/.exec(source.replaceAll('=\r\n', '')) ?? []
      return [to[0], link]
    }),
  )
  const press = async (address: string) => {
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    const pressed = await fetch(`http://localhost:${port}${links.get(address)}`, { method: 'POST', body })
    return [pressed.status, await pressed.text()]
  }
  expect(await press('Gone@corp.example')).toEqual([200, expect.stringMatching(/Messages stopped/)])
  expect(await press('Gone@corp.example')).toEqual([200, expect.stringMatching(/Messages stopped/)])
  const listed = async () => (await (await askService('/api/alerts')).json()).alert_profiles
  expect(await listed()).toMatchObject([{ id, notifications: { email: ['soc@corp.example'] } }])
  const shown = async () => (await (await ask(ALERTS)).json()).profiles
  expect(await shown()).toMatchObject([{ destinations: { email: ['s…@corp.example'] } }])
  const audit = await (await ask('/bff/audit?timeZone=UTC&action=alert-unsubscribed')).json()
  expect(audit.events).toMatchObject([{ object: id, before: { recipients: ['email G…@corp.example'] } }])
  const bell = await (await ask('/bff/inbox')).json()
  expect(bell.items[0].title).toBe('G…@corp.example unsubscribed from “By a client”')

  await database.query('update delivery_destination set gathers_until = null, free_at = null')
  await publish('Northwind Foods again')
  await expect.poll(() => recipients().length, WITHIN).toBe(3)
  expect(recipients().filter((to) => to === 'Gone@corp.example')).toHaveLength(1)
  // A receiver has a mail before the ledger has its answer.
  await expect.poll(async () => (await ledger()).counts, WITHIN).toMatchObject({ sent: 3, queued: 0 })

  await closeService()
  const [status, page] = await press('soc@corp.example')
  expect(status).toBeGreaterThanOrEqual(500)
  expect(page).toMatch(/role="alert"/)
  expect((await (await ask('/bff/audit?timeZone=UTC&action=alert-unsubscribed')).json()).events).toHaveLength(
    1,
  )
})
