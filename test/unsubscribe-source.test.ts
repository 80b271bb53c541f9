import { expect, test } from 'vitest'
import { ALERTS, openSourceAlerts } from './support/alerts/open-source-alerts.ts'
import { startStandInUpstream } from './support/stand-in-upstream.ts'
import { v1List } from './support/upstream-records.ts'

const [ADA, BOB, SOC] = ['ada@corp.example', 'bob@corp.example', 'soc@corp.example']

test('one press on the link of a mail takes its address off the profile of our own service', async () => {
  const { ask, press, askService, closeService, publish, recipients, ledger, database } =
    await openSourceAlerts()
  const email = ['Gone@corp.example', 'soc@corp.example']
  const made = await askService('/api/alerts', {
    method: 'POST',
    body: { name: 'By a client', keywords: ['northwind'], notifications: { email } },
  })
  const { id } = await made.json()
  await publish('Northwind Foods')
  await expect.poll(recipients).toEqual(email)
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
  await expect.poll(() => recipients().length).toBe(3)
  expect(recipients().filter((to) => to === 'Gone@corp.example')).toHaveLength(1)
  // A receiver has a mail before the ledger has its answer.
  await expect.poll(async () => (await ledger()).counts).toMatchObject({ sent: 3, queued: 0 })

  await closeService()
  const [status, page] = await press('soc@corp.example')
  expect(status).toBeGreaterThanOrEqual(500)
  expect(page).toMatch(/role="alert"/)
  expect((await (await ask('/bff/audit?timeZone=UTC&action=alert-unsubscribed')).json()).events).toHaveLength(
    1,
  )
})

test('a change whose answer is lost is recorded as unclear, and the page says so', async () => {
  const { press, createProfile, publish, recipients, faulty, audited, addresses } = await openSourceAlerts()
  await createProfile('Brands', [ADA, SOC])
  await publish('Northwind Foods')
  await expect.poll(recipients).toEqual([ADA, SOC])
  faulty.state.fault = () => 'loses answers'
  expect(await press(ADA)).toEqual([502, expect.stringMatching(/It is unclear whether.*Use the link again/s)])
  expect(await audited()).toEqual(['alert-requested Brands', 'alert-unclear Brands'])
  faulty.state.fault = () => 'none'
  expect((await press(ADA))[0]).toBe(200)
  expect(await addresses()).toEqual({ Brands: [SOC] })
})

test('a profile that cannot be changed does not stop the others of a link', async () => {
  const { press, createProfile, publish, recipients, faulty, audited, addresses } = await openSourceAlerts()
  const refusedId = await createProfile('Brands', [ADA])
  await createProfile('Foods', [ADA])
  await publish('Northwind Foods')
  await expect.poll(recipients).toEqual([ADA])
  faulty.state.fault = (path) => (path.endsWith(refusedId) ? 'refuses' : 'none')
  expect(await press(ADA)).toEqual([422, expect.stringMatching(/were not stopped.*refused to change/s)])
  expect(await addresses()).toEqual({ Brands: [ADA], Foods: [] })
  expect((await audited()).toSorted()).toEqual([
    ...['alert-refused Brands', 'alert-requested Brands'],
    ...['alert-requested Foods', 'alert-unsubscribed Foods'],
  ])
})

test('while the service hangs, changes wait for each other without a connection of the database', async () => {
  const { ask, press, createProfile, publish, recipients, faulty, addresses, database } =
    await openSourceAlerts()
  const id = await createProfile('Brands', [ADA, BOB, SOC])
  await publish('Northwind Foods')
  await expect.poll(recipients).toEqual([ADA, BOB, SOC])
  faulty.state.fault = () => 'hangs'
  const changes = [
    press(ADA).then(([status]) => status),
    press(BOB).then(([status]) => status),
    ask(`/bff/alerts/${id}`, { method: 'PUT', body: { name: 'Renamed' } }).then(({ status }) => status),
  ]
  await expect.poll(() => faulty.held.size).toBe(1)
  const idle = `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`
  // What runs beside them is in a transaction for moments only; a change that held one would be in it for as long as it waits.
  await expect.poll(async () => (await database.query(idle)).rowCount).toBe(0)
  expect(faulty.held.size).toBe(1)
  faulty.state.fault = () => 'none'
  faulty.release()
  expect(await Promise.all(changes)).toEqual([200, 200, 204])
  expect(await addresses()).toEqual({ Renamed: [SOC] })
})

test('who waits too long for another change reads that nothing was changed', async () => {
  const { press, createProfile, publish, recipients, addresses, database } = await openSourceAlerts()
  await createProfile('Brands', [ADA])
  await publish('Northwind Foods')
  await expect.poll(recipients).toEqual([ADA])
  await database.query(
    `insert into stored_answer (question, fetched_at, asked_by, asked_until)
     values ('orders changes of alert profiles'::bytea, now(), gen_random_uuid(), now() + interval '1 minute')`,
  )
  expect(await press(ADA)).toEqual([504, expect.stringMatching(/Nothing was changed/)])
  expect(await addresses()).toEqual({ Brands: [ADA] })
})

test('a link works after the API key was replaced by another of the same account', async () => {
  const { press, createProfile, publish, recipients, addresses, ...lantern } = await openSourceAlerts()
  await createProfile('Brands', [ADA])
  await publish('Northwind Foods')
  await expect.poll(recipients).toEqual([ADA])
  await lantern.closeDashboard()
  const { port } = await lantern.startDashboard({ apiKey: await lantern.createKey('acme') })
  const outcome = async () => {
    const [status] = await press(ADA, port)
    return { status, addresses: await addresses() }
  }
  // A key that has made no call yet offers nothing.
  await expect.poll(outcome).toEqual({ status: 200, addresses: { Brands: [] } })
})

test.for(['another account', 'another vendor'])(
  'a link of before Lantern was moved to %s answers that nothing was stopped',
  async (to) => {
    const { press, createProfile, publish, recipients, addresses, ...lantern } = await openSourceAlerts()
    await createProfile('Brands', [ADA])
    await publish('Northwind Foods')
    await expect.poll(recipients).toEqual([ADA])
    await lantern.closeDashboard()
    const vendor = await startStandInUpstream()
    vendor.play('/api/v1/threats', { json: v1List([]) })
    const apiKey = await lantern.createKey('another')
    const { port } = await lantern.startDashboard({
      apiKey,
      ...(to === 'another vendor' && { url: vendor.url }),
    })
    const [status, page] = await press(ADA, port)
    expect([status, page]).toEqual([
      409,
      expect.stringMatching(/role="alert".*another vendor or another account/s),
    ])
    expect(page).not.toMatch(/Brands|corp\.example/)
    expect(await addresses()).toEqual({ Brands: [ADA] })
  },
)
