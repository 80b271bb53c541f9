import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ledgerDetailSchema, ledgerSchema } from '#contract/bff/delivery-ledger.ts'
import { deliverySchema } from '#contract/delivery.ts'
import { createSender } from '#delivery/run-deliveries.ts'
import { ADMIN, readProblem } from '#test/support/ask-bff.ts'
import { refused, scriptChannel, sendTest } from '#test/support/delivery/deliveries.ts'
import { startProfiles } from '#test/support/profiles/start-profiles.ts'
import { refuseRecords } from '#test/support/refuse-records.ts'
import { startSignedIn } from '#test/support/start-signed-in.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const SECRET = 'secret-of-the-tests'
const FORMULA = '=HYPERLINK("http://evil.example","open")'

/** A message of a profile with this name that its webhook refuses for good, in these words. */
async function startFailed({ name = 'All', excerpt = 'gone', isShared = true } = {}) {
  const database = await takeDatabase('bff')
  const started = await startProfiles(database, { sending: 0 })
  const webhook = scriptChannel([refused({ code: '410', excerpt, isPermanent: true })])
  const sender = createSender({
    database,
    secret: SECRET,
    channels: { webhook },
    linkTo: (id) => `http://localhost:4173/${id}`,
    onError(error) {
      throw error
    },
  })
  async function work() {
    await sender.pass()
    await sender.finish()
  }
  await started.create(undefined, { name, isShared })
  await started.publish({ id: 'one', title: FORMULA })
  await work()
  const [failed] = (await started.ledger('?state=failed')).deliveries
  await database.query(
    `insert into account (email, name, role, password_hash)
     select given.role || '@example.com', given.role, given.role, password_hash
       from account, (values ('viewer'), ('analyst')) as given(role)`,
  )
  async function signIn(role: 'viewer' | 'analyst') {
    const browser = started.createBrowser()
    expect((await browser.signIn({ ...ADMIN, email: `${role}@example.com` })).status).toBe(200)
    return browser.ask
  }
  return { ...started, database, webhook, work, signIn, id: failed?.id ?? '' }
}

test('an analyst sends a failed message again, once, and the audit log says who; a viewer may not', async () => {
  const { id, ask, webhook, work, signIn, ledger } = await startFailed()
  const path = `/bff/deliveries/${id}/resend`
  const viewer = await signIn('viewer')
  expect((await readProblem(await viewer(path, { method: 'POST' }))).code).toBe('role_not_allowed')
  const analyst = await signIn('analyst')
  const sent = await analyst(path, { method: 'POST' })
  expect([sent.status, await sent.json()]).toMatchObject([
    200,
    { id, state: 'queued', threats: [{ id: 'one', title: FORMULA }] },
  ])
  expect((await readProblem(await analyst(path, { method: 'POST' }))).code).toBe('conflict')
  const unknown = '/bff/deliveries/7f0c6a52-7c0d-4d3e-9c50-0d4a52f0a001/resend'
  expect((await readProblem(await analyst(unknown, { method: 'POST' }))).code).toBe('not_found')
  await work()
  expect(webhook.sent).toHaveLength(2)
  expect((await ledger('?state=sent')).deliveries).toMatchObject([{ id, attempts: 2 }])
  const audited = await ask('/bff/audit?timeZone=UTC&action=delivery-resent')
  expect(await audited.json()).toMatchObject({
    events: [{ actor: { email: 'analyst@example.com' }, object: id }],
  })
})

test('the ledger is exported as a table without formulas and as lines of JSON, for analysts, and recorded', async () => {
  const { id, database, signIn } = await startFailed({ name: FORMULA, excerpt: '@SUM(1+1)' })
  const viewer = await signIn('viewer')
  expect((await viewer('/bff/exports/deliveries')).status).toBe(403)
  const analyst = await signIn('analyst')
  const csv = await analyst('/bff/exports/deliveries?format=csv&state=failed')
  expect(csv.headers.get('content-disposition')).toMatch(/attachment; filename="lantern-deliveries-.*\.csv"/)
  const [head, line, ...rest] = (await csv.text()).trimEnd().split('\r\n')
  expect(rest).toEqual([])
  expect(head).toContain('"created_at","id"')
  expect(line).toContain(`"${id}"`)
  expect(line).toContain(`"'${FORMULA.replaceAll('"', '""')}"`)
  expect(line).toContain(`"'@SUM(1+1)"`)
  const lines = await analyst('/bff/exports/deliveries?format=ndjson')
  expect(lines.headers.get('content-type')).toContain('ndjson')
  const [entry] = (await lines.text()).trimEnd().split('\n')
  expect(deliverySchema.parse(JSON.parse(entry ?? ''))).toMatchObject({
    id,
    causes: [{ name: FORMULA }],
    excerpt: '@SUM(1+1)',
  })
  expect(await (await analyst('/bff/exports/deliveries?state=sent&format=ndjson')).text()).toBe('')
  const { rowCount } = await database.query(`select from audit_event where action = 'deliveries-exported'`)
  expect(rowCount).toBe(3)
})

test('a message of a private profile is there for its owner, its recipients and admins alone', async () => {
  const started = await startFailed({ name: 'Merger', excerpt: 'private answer', isShared: false })
  const { id, create, publish, work, signIn, database, ledger } = started
  // The same webhook is notified by a profile of the team: both share one message.
  await create(undefined, { name: 'Team', isShared: true, filter: { q: 'northwind' } })
  await publish(
    { id: 'two', title: 'Northwind' },
    { id: 'three', title: 'Else', summary: 'Else', victims: undefined },
  )
  await work()
  const joint = (await ledger()).deliveries.find(({ causes }) => causes.length === 2)
  expect(joint).toMatchObject({ threatCount: 2 })

  const [viewer, analyst] = [await signIn('viewer'), await signIn('analyst')]
  const list = async (ask: typeof viewer, path: string) =>
    z.object({ deliveries: z.array(deliverySchema) }).parse(await (await ask(path)).json()).deliveries
  const seen = [{ id: joint?.id, causes: [{ name: 'Team' }], threatCount: 1 }]
  expect(await list(analyst, '/bff/deliveries')).toMatchObject(seen)
  expect(ledgerSchema.parse(await (await analyst('/bff/deliveries')).json()).counts).toMatchObject({
    failed: 0,
    queued: 1,
  })
  const [privateId = ''] = (await ledger()).deliveries.flatMap(({ causes }) =>
    causes.flatMap((cause) => (cause.name === 'Merger' ? [cause.id] : [])),
  )
  expect(await list(analyst, `/bff/deliveries?causeId=${privateId}`)).toEqual([])
  expect(await list(viewer, '/bff/threats/two/deliveries')).toMatchObject(seen)
  expect(await list(viewer, '/bff/threats/one/deliveries')).toEqual([])
  expect(await list(viewer, '/bff/threats/three/deliveries')).toEqual([])
  const detail = await analyst(`/bff/deliveries/${joint?.id}`)
  const { threats, causes, mutableIds } = ledgerDetailSchema.parse(await detail.json())
  const named = { victim: 'Northwind Foods two', actor: 'Ashfall', causeIds: causes.map((cause) => cause.id) }
  expect(threats).toEqual([{ id: 'two', title: 'Northwind', ...named }])
  // The team may see it, and only its owner and admins mute for it.
  expect(mutableIds).toEqual([])
  const exported = await (await analyst('/bff/exports/deliveries?format=ndjson')).text()
  expect(exported.trimEnd().split('\n')).toHaveLength(1)
  expect(exported).not.toMatch(/Merger|private answer/)
  const path = `/bff/deliveries/${id}`
  expect((await readProblem(await analyst(path))).code).toBe('not_found')
  expect((await readProblem(await analyst(`${path}/resend`, { method: 'POST' }))).code).toBe('not_found')

  await database.query(
    `insert into alert_recipient (profile_id, position, channel, user_id)
     select $1, 1, 'user', id from account where name = 'analyst'`,
    [privateId],
  )
  expect(await list(analyst, '/bff/threats/one/deliveries')).toMatchObject([
    { id, causes: [{ name: 'Merger' }] },
  ])
  expect((await readProblem(await analyst(`${path}/resend`, { method: 'POST' }))).code).toBe(
    'role_not_allowed',
  )
  await database.query(
    `update alert_profile profile set account_id = account.id from account where account.name = 'analyst' and profile.id = $1`,
    [privateId],
  )
  expect((await analyst(`${path}/resend`, { method: 'POST' })).status).toBe(200)
})

test('after a change of SECRET, waiting messages are sent with a signature', async () => {
  const database = await takeDatabase('bff')
  const { standIn, create, publish, receiver, close } = await startProfiles(database, { sending: 0 })
  await create()
  await publish({ id: 'one' })
  await close()
  const notify = { mail: undefined, domains: [], hosts: ['vendor.test'] }
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const lantern = await startSignedIn(database, {
    upstream: { url: standIn.url, apiKey: 'key-of-the-tests', kind: 'vendor' },
    secret: 'the secret that came after it, long enough',
    secretBefore: SECRET,
    notify: { ...notify, resolve },
  })
  await expect.poll(() => receiver.received.length).toBe(1)
  expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,\S+$/)
  await lantern.close()
  const { rows } = await database.query(`select state from delivery`)
  expect(rows).toEqual([{ state: 'sent' }])
})

test('a message that failed is sent again only where that is recorded', async () => {
  const { id, ask, ledger, database } = await startFailed()
  await refuseRecords(database)
  expect((await ask(`/bff/deliveries/${id}/resend`, { method: 'POST' })).status).toBe(500)
  expect((await ledger('?state=failed')).deliveries).toMatchObject([{ id }])
})

test('messages of profiles are there for every analyst, those of other accounts for admins alone', async () => {
  const { database, ledger, signIn, id } = await startFailed()
  const access = { secret: SECRET }
  const profile = { id: 'alp_1', name: 'Brands', isTeam: true } as const
  const test = { requestedBy: 'Ada', link: 'http://localhost:4173/alerts' }
  const to = { channel: 'email', destination: 'soc@corp.example' }
  const tests = [
    await sendTest(database, { to, causes: [profile], ...test }, access),
    await sendTest(database, { to, causes: [], ...test }, access),
  ]
  const theirs = { to: { ...to, account: 'acc_2' }, causes: [profile] }
  const hidden = await sendTest(database, { ...theirs, ...test }, access)
  const list = async (ask: Awaited<ReturnType<typeof signIn>>) =>
    ledgerSchema.parse(await (await ask('/bff/deliveries')).json()).deliveries.map((one) => one.id)
  expect((await list(await signIn('analyst'))).sort()).toEqual([id, ...tests].sort())
  const { deliveries, isVendorSending } = await ledger()
  expect(deliveries.map((one) => one.id)).toEqual([id, hidden, ...tests.toReversed()])
  expect(isVendorSending).toBe(true)
})
