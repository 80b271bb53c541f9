import { expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { alertProfileSchema } from '#contract/upstream/earlier/alert-profile.ts'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { countDeliveries } from '#delivery/ledger.ts'
import { createKey } from '#service/keys/create-key.ts'
import { revokeKey } from '#service/keys/replace-key.ts'
import { startService } from '#service/start-service.ts'
import { insertThreats } from '#service/threats/insert-threats.ts'
import { startMailServer } from '#test/support/delivery/stand-in-mail-server.ts'
import { makeThreat } from '#test/support/service/make-threat.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const SECRET = 'a secret of thirty-two characters'
const WITHIN = { timeout: 5_000, interval: 50 }
const EMAIL = { email: ['soc@corp.example'] }

/** The service as it is served, with a key and a mail server. */
async function serve(database: OpenDatabase, mailServer: Awaited<ReturnType<typeof startMailServer>>) {
  const port = await findFreePort()
  const service = await startService({
    database,
    host: '127.0.0.1',
    port,
    publicUrl: `http://127.0.0.1:${port}`,
    secret: SECRET,
    delivery: {
      mail: mailServer.mail,
      domains: [],
      hosts: [],
      dashboardUrl: 'https://lantern.example',
      retentionDays: 90,
      random: () => 0,
    },
    log: () => {},
  })
  const { id, token } = await createKey(database, {
    account: 'acme',
    name: 'test',
    earlierPlan: 'professional',
    v1Plan: 'none',
  })
  return {
    close: service.close,
    keyId: id,
    async ask(method: string, path: string, body?: unknown) {
      const answer = await fetch(`${service.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: answer.status, json: z.unknown().parse(await answer.json()) }
    },
  }
}

async function open() {
  const database = await takeDatabase('service')
  const mailServer = await startMailServer()
  const service = await serve(database, mailServer)
  const create = async (body: object = {}) => {
    const draft = { name: 'Our brands', keywords: ['northwind'], notifications: EMAIL, ...body }
    const { status, json } = await service.ask('POST', '/api/alerts', draft)
    expect(status).toBe(201)
    return alertProfileSchema.parse(json)
  }
  return { database, mailServer, ...service, create }
}

test('mails what a record matched, once, within five seconds, from whichever process', async () => {
  const { database, mailServer, create, close } = await open()
  const other = await serve(database, mailServer)
  await create()
  await create({ name: 'Told to nobody', notifications: {} })
  const record = makeThreat({
    title: 'Northwind Clinics leaked',
    organizations: ['Northwind'],
    threatActors: ['GlassHeron'],
    countries: ['DE'],
  })
  await insertThreats(database, [record])
  await vi.waitUntil(() => mailServer.mails.length > 0, WITHIN)
  await insertThreats(database, [record])
  await Promise.all([close(), other.close()])

  expect(mailServer.mails).toHaveLength(1)
  const [{ to, source } = { to: [], source: '' }] = mailServer.mails
  expect(to).toEqual(['soc@corp.example'])
  const told = source.replaceAll('=\r\n', '')
  for (const part of ['Northwind Clinics leaked', 'northwind', 'High', 'Germany', 'GlassHeron', 'Our brands'])
    expect(told).toContain(part)
  expect(told).toMatch(/https:\/\/lantern\.example\/threats\/thr_/)
})

test('loses nothing while the mail server is down, and generated records alert nobody', async () => {
  const { database, mailServer, create, close } = await open()
  mailServer.state.isUp = false
  await create()
  await insertThreats(database, [makeThreat({ title: 'Northwind is made up', isDemo: true })])
  await insertThreats(database, [makeThreat({ title: 'Northwind is real' })])
  await vi.waitUntil(() => mailServer.state.refused > 0, WITHIN)
  mailServer.state.isUp = true
  await vi.waitUntil(() => mailServer.mails.length > 0, WITHIN)
  await close()
  expect(mailServer.mails).toHaveLength(1)
  expect(mailServer.mails[0]?.source).toContain('Northwind is real')
  expect(mailServer.mails[0]?.source).not.toContain('made up')
})

test('tells an account nothing once its keys have ended, neither what waits nor what comes', async () => {
  const { database, mailServer, keyId, create, close } = await open()
  mailServer.state.isUp = false
  await create()
  await insertThreats(database, [makeThreat({ title: 'Northwind before' })])
  await vi.waitUntil(() => mailServer.state.refused > 0, WITHIN)
  expect(await revokeKey(database, keyId)).toBe(true)
  await insertThreats(database, [makeThreat({ title: 'Northwind after' })])
  mailServer.state.isUp = true
  await vi.waitUntil(async () => (await countDeliveries(database)).notSent === 1, WITHIN)
  expect(await countDeliveries(database)).toMatchObject({ queued: 0, retrying: 0, sending: 0 })
  await createKey(database, { account: 'acme', name: 'back', earlierPlan: 'professional', v1Plan: 'none' })
  await insertThreats(database, [makeThreat({ title: 'Northwind is back' })])
  // Told with whatever else comes within the minute.
  expect(await countDeliveries(database)).toMatchObject({ notSent: 1, queued: 1 })
  await close()
  expect(mailServer.mails).toEqual([])
})

test('keeps addresses sealed, and moves those of before there at the start', async () => {
  const database = await takeDatabase('service')
  await database.query(`insert into account (id, name) values ('acc_1', 'acme')`)
  await database.query(
    `insert into alert_profile (account_id, name, keywords, categories, has_emails, emails, slack_webhook)
     values ('acc_1', 'Earlier', '{northwind}', '{}', true, '{soc@corp.example}', 'https://hooks.slack.example/T0/secret-of-it')`,
  )
  const { close, ask } = await serve(database, await startMailServer())
  const { json } = await ask('GET', '/api/alerts')
  await close()
  expect(json).toMatchObject({
    alert_profiles: [
      {
        notifications: {
          email: ['soc@corp.example'],
          slack: 'https://hooks.slack.example/T0/secret-of-it',
          teams: null,
        },
      },
    ],
  })
  const { rows } = await database.query(
    `select to_jsonb(p)::text || (select string_agg(to_jsonb(d)::text, '') from delivery_destination d) as text
       from alert_profile p`,
  )
  const text = JSON.stringify(rows)
  expect(text).not.toContain('soc@')
  expect(text).not.toContain('T0/secret')
})
