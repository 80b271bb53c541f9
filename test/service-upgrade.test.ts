import { expect, onTestFinished, test } from 'vitest'
import { ledgerSchema } from '#contract/bff/delivery-ledger.ts'
import { alertProfileStatesSchema } from '#contract/upstream/earlier/alert-profile.ts'
import type { Database } from '#database/database.ts'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { listMigrations, migrate, migrateLike } from '#database/migrate.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createKey } from '#service/keys/create-key.ts'
import { startService } from '#service/start-service.ts'
import { countWaitingMessages, moveServiceLedger } from '#start/move-service-ledger.ts'
import { schemaOf } from '#start/open-migrated.ts'
import { ADMIN } from './support/ask-bff.ts'
import {
  ACCEPTED,
  aMatch,
  createLedger,
  enqueueTo,
  refused,
  SECRET,
  scriptChannel,
} from './support/delivery/deliveries.ts'
import { startMailServer } from './support/delivery/stand-in-mail-server.ts'
import { storeSpelling } from './support/delivery/store-spelling.ts'
import { startOwnService } from './support/start-own-service.ts'
import { startSignedIn } from './support/start-signed-in.ts'
import { takeDatabase } from './support/with-database.ts'

const DASHBOARD_SECRET = 'secret-of-the-tests-and-long-enough'
const { migrations } = schemaOf('service')
const SLACK = 'https://hooks.slack.com/services/T0/B0/secret-of-it'

async function serve(database: OpenDatabase, secrets: { secret: string; secretBefore?: string }) {
  const port = await findFreePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const service = await startService({
    database,
    host: '127.0.0.1',
    port,
    publicUrl,
    log: () => {},
    ...secrets,
  })
  onTestFinished(() => service.close())
  return publicUrl
}

/** The notifications of the one profile, as whoever has the account's key reads them. */
async function readNotifications(database: OpenDatabase, url: string) {
  const { token } = await createKey(database, {
    account: 'acme',
    name: 'reader',
    earlierPlan: 'professional',
    v1Plan: 'none',
  })
  const answer = await fetch(`${url}/api/alert-profiles`, { headers: { authorization: `Bearer ${token}` } })
  return alertProfileStatesSchema.parse(await answer.json()).alert_profiles[0]?.notifications
}

test('destinations that the ledger of the service had are the profile’s after the upgrade, sealed as they were', async () => {
  const database = await takeDatabase('empty')
  const before = (await listMigrations(migrations)).map(({ version }) => version).filter((one) => one < 83)
  await database.transaction((tx) => migrateLike(tx, migrations, before))
  await database.query(`insert into account (id, name) values ('acc_1', 'acme')`)
  await database.query(
    `insert into alert_profile (id, account_id, name, keywords, categories, has_emails)
     values ('alp_1', 'acc_1', 'Brands', '{northwind}', '{}', true)`,
  )
  const destinations = [
    { channel: 'slack', destination: SLACK, account: 'acc_1' },
    { channel: 'email', destination: 'soc@corp.example', account: 'acc_1' },
  ]
  const ids = destinations.map((_, at) => `${at}0000000-0000-4000-8000-000000000000`)
  for (const [at, one] of destinations.entries()) await storeSpelling(database, ids[at] ?? '', one, SECRET)
  await database.query(
    `insert into alert_destination (profile_id, position, destination_id)
     select 'alp_1', position, id from unnest($1::uuid[]) with ordinality as given(id, position)`,
    [ids],
  )
  await migrate(database, migrations)
  const url = await serve(database, { secret: SECRET })
  expect(await readNotifications(database, url)).toEqual({
    email: ['soc@corp.example'],
    slack: SLACK,
    teams: null,
  })
  expect((await database.query('select from delivery_destination')).rowCount).toBe(0)
})

test('seals plain addresses at the start, and seals them again after a change of SECRET', async () => {
  const database = await takeDatabase('service')
  await database.query(`insert into account (id, name) values ('acc_1', 'acme')`)
  await database.query(
    `insert into alert_profile (account_id, name, keywords, categories, has_emails, emails, slack_webhook)
     values ('acc_1', 'Earlier', '{northwind}', '{}', true, '{soc@corp.example}', $1)`,
    [SLACK],
  )
  await serve(database, { secret: SECRET })
  const { rows } = await database.query(
    `select to_jsonb(p)::text || (select string_agg(to_jsonb(d)::text, '') from alert_destination d) as text
       from alert_profile p`,
  )
  expect(JSON.stringify(rows)).not.toMatch(/soc@|secret-of-it/)

  const next = 'the secret that came after it, long enough'
  await serve(database, { secret: next, secretBefore: SECRET })
  const url = await serve(database, { secret: next })
  expect(await readNotifications(database, url)).toEqual({
    email: ['soc@corp.example'],
    slack: SLACK,
    teams: null,
  })
})

/** What the service of an earlier Lantern left: one message each that was sent, has failed, waits, and is of another account. */
async function leaveMessages(database: OpenDatabase, profileId: string, account: string) {
  const began = new Date(Date.now() - 300_000).toISOString()
  const { access, createWorker, pass } = createLedger(database, began)
  const cause = { id: profileId, name: 'Brands', isTeam: true } as const
  const to = (channel: string, destination: string, whose = account) => [
    { channel, destination, account: whose },
  ]
  async function enqueue(id: string, destinations: ReturnType<typeof to>) {
    await enqueueTo(database, [aMatch(id, { cause, destinations })], access)
    await worker.work()
    pass(61_000)
  }
  const slack = scriptChannel([ACCEPTED, refused({ isPermanent: true, code: '404' })])
  const worker = createWorker({ slack })
  await enqueue('sent', to('slack', SLACK))
  await worker.work()
  await enqueue('failed', to('slack', `${SLACK}/gone`))
  await enqueue('theirs', to('slack', SLACK, 'acc_other'))
  await enqueue('waits', to('email', ADMIN.email))
  expect(await countWaitingMessages(database)).toBe(1)
}

test('messages of the service’s ledger are in the dashboard’s, and what waits is sent once', async () => {
  const mailServer = await startMailServer()
  const service = await startOwnService({ earlierPlan: 'enterprise', v1Plan: 'defend' })
  const created = await fetch(`${service.url}/api/alerts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Brands',
      keywords: ['northwind'],
      notifications: { email: [ADMIN.email], slack: SLACK },
    }),
  })
  const { id: profileId } = await created.json()
  await leaveMessages(service.database, profileId, 'acc_1')
  // Of a SECRET that nobody has any more.
  await service.database.query(`update delivery_destination set sealed = '\\x00' where channel = 'slack'
    and id = (select destination_id from delivery where state = 'failed')`)

  const dashboard = await takeDatabase('bff')
  const start = () =>
    startSignedIn(dashboard, {
      upstream: { url: service.url, apiKey: service.apiKey, kind: 'embedded' },
      notify: { mail: mailServer.mail, domains: [], hosts: [] },
      secret: DASHBOARD_SECRET,
    })
  // Its admin was there before the upgrade.
  await (await start()).close()
  const move = (from: Database) =>
    moveServiceLedger({
      service: from,
      serviceSecret: SECRET,
      account: 'acc_1',
      dashboard,
      secret: DASHBOARD_SECRET,
    })
  await expect(move(endingBefore(service.database, 'truncate'))).rejects.toThrow('killed')
  expect(await countWaitingMessages(service.database)).toBe(1)
  await move(service.database)
  await move(service.database)
  expect(await countWaitingMessages(service.database)).toBe(0)

  const { ask } = await start()
  const list = async (query = '') =>
    ledgerSchema.parse(await (await ask(`/bff/deliveries${query}`)).json()).deliveries
  await expect.poll(async () => (await list(`?state=sent&causeId=${profileId}`)).length).toBe(3)
  const brands = [{ id: profileId, name: 'Brands' }]
  expect((await list()).filter(({ kind }) => kind === 'matches')).toMatchObject([
    {
      state: 'failed',
      channel: 'slack',
      destination: 'hooks.slack.com/…gone',
      causes: brands,
      code: '404',
    },
    { state: 'sent', channel: 'email', causes: brands, attempts: 1 },
    { state: 'sent', channel: 'slack', causes: brands, attempts: 1 },
    { state: 'sent', channel: 'slack', destination: 'hooks.slack.com/…f-it', causes: brands },
  ])
  const sent = mailServer.mails.filter(({ source }) => source.includes('Threat waits'))
  expect(sent.map((mail) => mail.to)).toEqual([[ADMIN.email]])
})

/** A database whose process ends before a statement. */
function endingBefore(database: Database, statement: string): Database {
  return {
    ...database,
    query: (text, values) =>
      text.startsWith(statement) ? Promise.reject(new Error('killed')) : database.query(text, values),
    transaction: (run) => database.transaction((tx) => run(endingBefore(tx, statement))),
  }
}
