import { expect, onTestFinished, test } from 'vitest'
import { alertProfileStatesSchema } from '#contract/upstream/earlier/alert-profile.ts'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { listMigrations, migrate, migrateLike } from '#database/migrate.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { storeDestinations } from '#delivery/destinations.ts'
import { readDatabaseTime } from '#delivery/ledger-access.ts'
import { createKey } from '#service/keys/create-key.ts'
import { startService } from '#service/start-service.ts'
import { schemaOf } from '#start/open-migrated.ts'
import { takeDatabase } from './support/with-database.ts'

const SECRET = 'a secret of thirty-two characters'
const { migrations } = schemaOf('service')
const SLACK = 'https://hooks.slack.com/services/T0/B0/secret-of-it'

async function serve(database: OpenDatabase, secrets: { secret: string; secretBefore?: string }) {
  const port = await findFreePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const service = await startService({
    ...{ database, host: '127.0.0.1', port, publicUrl, log: () => {} },
    ...secrets,
  })
  onTestFinished(() => service.close())
  return publicUrl
}

/** The notifications of the one profile, as whoever has the account's key reads them. */
async function readNotifications(database: OpenDatabase, url: string) {
  const { token } = await createKey(database, {
    ...{ account: 'acme', name: 'reader', earlierPlan: 'professional', v1Plan: 'none' },
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
  const access = { secret: SECRET, mask: () => '…', readNow: readDatabaseTime }
  const idOf = await storeDestinations(database, destinations, access)
  await database.query(
    `insert into alert_destination (profile_id, position, destination_id)
     select 'alp_1', position, id from unnest($1::uuid[]) with ordinality as given(id, position)`,
    [destinations.map(idOf)],
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

test('addresses that were in the clear are sealed at the start, and sealed anew after SECRET was replaced', async () => {
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
