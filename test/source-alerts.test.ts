import { expect, test } from 'vitest'
import { ALERTS, openSourceAlerts } from './support/alerts/open-source-alerts.ts'

const DRAFT = { name: 'Brands', keywords: ['northwind'], categories: [], slack: null, teams: null }

test('the dashboard sends each match of the service’s own profiles once, with any creator', async () => {
  const { ask, askService, publish, recipients, ledger, mails, database } = await openSourceAlerts()
  expect((await ask(ALERTS, { body: { ...DRAFT, email: ['soc@corp.example'] } })).status).toBe(201)
  const notifications = { email: ['client@corp.example'] }
  const made = await askService('/api/alerts', {
    method: 'POST',
    body: { name: 'By a client', keywords: ['north wind', 'northwind'], notifications },
  })
  const { id } = await made.json()
  await publish('Northwind Foods')
  await expect.poll(recipients).toEqual(['client@corp.example', 'soc@corp.example'])
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
  await expect.poll(unsent).toMatchObject([{ reason: 'paused', causes: [{ id }] }])
  await expect.poll(() => recipients().length).toBe(3)
  expect(recipients().filter((to) => to === 'client@corp.example')).toHaveLength(1)
})

test('a recipient removed from a profile receives no waiting message', async () => {
  const { ask, askService, publish, recipients, ledger, database } = await openSourceAlerts()
  const made = await ask(ALERTS, { body: { ...DRAFT, email: ['gone@corp.example', 'soc@corp.example'] } })
  const { profile } = await made.json()
  await database.query(`create function hold() returns trigger language plpgsql as $$
    begin new.next_attempt_at = case when new.state = 'queued' then now() + interval '4 seconds' end; return new; end $$`)
  await database.query('create trigger hold before insert on delivery for each row execute function hold()')
  await publish('Northwind Foods')
  await expect.poll(async () => (await ledger()).counts.queued).toBe(2)
  const change = { notifications: { email: ['soc@corp.example'] } }
  expect((await askService(`/api/alerts/${profile.id}`, { method: 'PUT', body: change })).status).toBe(200)
  await publish('Something else')
  await expect.poll(recipients).toEqual(['soc@corp.example'])
  await expect
    .poll(async () => (await ledger('?state=notSent')).deliveries)
    .toMatchObject([{ reason: 'removed' }])
  expect(recipients()).toEqual(['soc@corp.example'])
})

test('profiles of our own service that name one mailbox in two letter cases bring it one mail', async () => {
  const { createProfile, publish, recipients, ledger, database } = await openSourceAlerts()
  await createProfile('Brands', ['Soc@corp.example'])
  await createProfile('Others', ['soc@CORP.example'])
  await publish('Northwind Foods')
  const sent = async () => (await ledger('?state=sent')).deliveries
  await expect.poll(sent, { timeout: 20_000 }).toMatchObject([{ causes: [{}, {}] }])
  expect(recipients()).toHaveLength(1)

  // An earlier version stores another spelling beside it, while a message waits.
  await database.query(`create function hold() returns trigger language plpgsql as $$
    begin new.next_attempt_at = case when new.state = 'queued' then now() + interval '1 hour' end; return new; end $$`)
  await database.query('create trigger hold before insert on delivery for each row execute function hold()')
  await database.query('update delivery_destination set gathers_until = null, free_at = null')
  await publish('Northwind Foods again')
  await expect.poll(async () => (await ledger()).counts.queued, { timeout: 20_000 }).toBe(1)
  await database.query(
    `insert into delivery_destination (id, channel, fingerprint, mailbox, sealed, masked, line)
     select '00000000-0000-4000-8000-000000000000', channel, sha256('another'), mailbox, sealed, masked, line
       from delivery_destination`,
  )
  await createProfile('Third', ['soc@corp.example'])
  const moved = `select from source_recipient where destination_id = '00000000-0000-4000-8000-000000000000'`
  await expect.poll(async () => (await database.query(moved)).rowCount, { timeout: 20_000 }).toBe(3)
  await database.query(`update delivery set next_attempt_at = now() where state = 'queued'`)
  await publish('Something else')
  await expect.poll(recipients, { timeout: 20_000 }).toHaveLength(2)
})

test('a profile that is created while changes are evaluated receives what follows it in the next page', async () => {
  const { createProfile, publish, recipients, database } = await openSourceAlerts()
  await database.query(`create function hold() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(substring(new.threat ->> 'title' from '[0-9]+')::int); return new; end $$`)
  await database.query(
    'create trigger hold before insert on delivery_match for each row execute function hold()',
  )
  const found = (sql: string) =>
    expect.poll(async () => (await database.query(sql)).rowCount, { timeout: 20_000 }).toBe(1)
  const isLogged = (title: string) =>
    found(
      `select from threat_change join window_threat on id = threat_id where threat::json ->> 'title' = '${title}'`,
    )
  /** The evaluation of a match waits until it is released. */
  async function hold(number: number) {
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = database.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [number])
      held.resolve()
      await released.promise
    })
    await held.promise
    return {
      isMet: () =>
        found(`select from pg_locks where locktype = 'advisory' and objid = ${number} and not granted`),
      release: () => {
        released.resolve()
        return holding
      },
    }
  }
  const [first, second] = [await hold(1), await hold(2)]
  await createProfile('Early', ['early@corp.example'])
  await publish('Northwind 1')
  await first.isMet()
  await publish('Northwind 2')
  await isLogged('Northwind 2')
  // With these changes, of records that are stored no more, the next evaluation has two pages.
  await database.query(
    `with counter as (update threat_change_counter set last = last + 200 returning last - 200 as before)
     insert into threat_change (number, threat_id, kind, fields, edge)
     select before + position, 'deleted', 'removed', '{}', 'past' from counter, generate_series(1, 200) position`,
  )
  await first.release()
  await second.isMet()
  await createProfile('Late', ['late@corp.example'])
  await publish('Northwind 3')
  await isLogged('Northwind 3')
  await second.release()
  await expect
    .poll(() => new Set(recipients()), { timeout: 20_000 })
    .toEqual(new Set(['early@corp.example', 'late@corp.example']))
})

test('a mute keeps matches of a profile of our own service from being sent', async () => {
  const { ask, publish, recipients, database } = await openSourceAlerts()
  const made = await ask(ALERTS, { body: { ...DRAFT, email: ['soc@corp.example'] } })
  const { id } = (await made.json()).profile
  const mutes = `/bff/alert-profiles/${id}/mutes`
  const body = { kind: 'actor', name: 'Ashfall', days: null, reason: 'Not ours' }
  await expect.poll(async () => (await ask(mutes, { body })).status).toBe(201)
  await publish('Northwind by Ashfall', { threatActors: ['ASHFALL'] })
  const muted = async () => (await ask(mutes)).json()
  await expect.poll(muted).toMatchObject({ mutes: [{ mutedCount: 1 }], canChange: true })
  await publish('Northwind by another', { threatActors: ['Emberfox'] })
  await expect.poll(recipients).toEqual(['soc@corp.example'])
  expect((await database.query('select from delivery_match')).rowCount).toBe(1)
})

test('a profile of our own service that is listed again after it was not is sent for again', async () => {
  const { createProfile, faulty, publish, recipients, database } = await openSourceAlerts()
  await createProfile('Brands', ['soc@corp.example'])
  const countProfiles = async () => (await database.query('select from source_profile')).rowCount
  await publish('Northwind Foods')
  await expect.poll(recipients, { timeout: 20_000 }).toHaveLength(1)
  faulty.state.hasNoProfiles = true
  await publish('Something else')
  await expect.poll(countProfiles, { timeout: 20_000 }).toBe(0)
  faulty.state.hasNoProfiles = false
  await expect.poll(countProfiles, { timeout: 20_000 }).toBe(1)
  await database.query('update delivery_destination set gathers_until = null, free_at = null')
  await publish('Northwind Foods again')
  await expect.poll(recipients, { timeout: 20_000 }).toHaveLength(2)
})
