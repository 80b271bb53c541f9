import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inboxSchema } from '#contract/bff/inbox.ts'
import { ledgerDetailSchema } from '#contract/bff/ledger.ts'
import { viewSchema } from '#contract/bff/view.ts'
import { watchListSchema } from '#contract/bff/watch.ts'
import { ADMIN, readProblem } from '#test/support/ask-bff.ts'
import { startMailServer } from '#test/support/delivery/stand-in-mail-server.ts'
import { ago, startWatching } from '#test/support/watches/start-watching.ts'
import { takeDatabase } from '#test/support/with-database.ts'

test('tells of what is new once, within seconds, whoever of two processes sends it', async () => {
  const database = await takeDatabase('bff')
  const { ask, watch, publish, receiver, ledger } = await startWatching(database, { sending: 2 })
  const { secrets, watch: saved } = await watch(undefined, {
    name: 'Ours ‮',
    filter: { q: 'north\u0000wind' },
  })
  expect(Object.values(secrets)).toEqual([expect.stringMatching(/^whsec_/)])
  await publish(
    { id: 'new', title: 'North wind \u0000 <b>@here</b>' },
    { id: 'other', title: 'Else', summary: 'Else', victims: undefined },
    { id: 'long ago', title: 'North wind', published_at: ago(60 * 24 * 8) },
  )
  await expect.poll(() => receiver.received.length, { timeout: 5_000 }).toBe(1)
  expect(receiver.received[0]?.body).toContain('"new"')
  expect(receiver.received[0]?.body).not.toMatch(/long ago|"other"/)

  await expect.poll(async () => (await ledger('?state=sent')).deliveries).toHaveLength(1)
  const [line] = (await ledger()).deliveries
  expect(line).toMatchObject({ causes: [{ id: saved.id }], threatCount: 1 })
  const detail = await ask(`/bff/deliveries/${line?.id}`)
  expect(ledgerDetailSchema.parse(await detail.json())).toMatchObject({ threats: [{ id: 'new' }] })
  const told = await ask('/bff/threats/new/deliveries')
  expect(await told.json()).toMatchObject({ deliveries: [{ id: line?.id }], isVendorSending: true })
  const inbox = inboxSchema.parse(await (await ask('/bff/inbox')).json())
  expect(inbox).toMatchObject({ items: [{ kind: 'matches', title: '1 new threat in Ours ‮' }], unread: 1 })
  const read = await ask('/bff/inbox/read', { body: { upTo: inbox.items[0]?.at } })
  expect(await read.json()).toMatchObject({ unread: 0 })
  await sleep(300)
  expect(receiver.received).toHaveLength(1)
})

test('hosts of NOTIFY_HOSTS take messages of Slack and Teams, and no others do', async () => {
  const { ask, watch, publish, receiver } = await startWatching(await takeDatabase('bff'))
  expect(await (await ask('/bff/watches')).json()).toMatchObject({ hosts: ['vendor.test'] })
  const { watch: made } = await watch([
    { channel: 'slack', url: `${receiver.origin}/slack` },
    { channel: 'teams', url: `${receiver.origin}/teams` },
  ])
  const elsewhere = { recipients: [{ channel: 'teams', url: 'https://elsewhere.test/teams' }] }
  const refused = await ask(`/bff/watches/${made.id}`, { method: 'PUT', body: elsewhere })
  expect(await readProblem(refused)).toMatchObject({ status: 400, fields: [{ name: 'recipients.0' }] })
  await publish({ id: 'new' })
  const paths = () => receiver.received.map(({ path }) => path).sort()
  await expect.poll(paths, { timeout: 5_000 }).toEqual(['/slack', '/teams'])
})

test('a webhook that answered 410 is shown as ended in each watch that has it, until it accepts a test', async () => {
  const { watch, publish, listed, ask } = await startWatching(await takeDatabase('bff'), {
    statuses: [410],
  })
  const { watch: made } = await watch()
  await watch(undefined, { name: 'Another' })
  const ends = async () => (await listed()).flatMap(({ recipients }) => recipients)
  await publish({ id: 'first' })
  const ended = { channel: 'webhook', endedAt: expect.stringMatching(/Z$/) }
  await expect.poll(ends, { timeout: 5_000 }).toMatchObject([ended, ended])
  const path = `/bff/watches/${made.id}/recipients/${made.recipients[0]?.id}/test`
  expect((await ask(path, { method: 'POST' })).status).toBe(202)
  await expect.poll(async () => JSON.stringify(await ends()), { timeout: 5_000 }).not.toContain('endedAt')
})

test('what is followed is exactly one actor or country, not each threat that names it', async () => {
  const { watch, publish, receiver } = await startWatching(await takeDatabase('bff'))
  const hook = (path: string) => [{ channel: 'webhook' as const, url: `${receiver.origin}/${path}` }]
  await watch(hook('actor'), { name: 'Hunters', filter: { actor: ['Hunters'] } })
  await watch(hook('country'), { name: 'Germany', filter: { country: ['DE'] } })
  const victims = (country: string) => ({
    countries: [country],
    industries: [],
    organizations: ['Northwind'],
    domains: [],
  })
  await publish(
    { id: 'its own', threat_actors: ['HUNTERS'], victims: victims('France') },
    { id: 'of another', threat_actors: ['Hunters International'], victims: victims('Germany') },
    { id: 'a word', title: 'Hunters in Germany', threat_actors: ['Akira'], victims: victims('France') },
  )
  const of = (path: string) => receiver.received.find((one) => one.path === `/${path}`)?.body ?? ''
  await expect.poll(() => receiver.received.length, { timeout: 5_000 }).toBe(2)
  expect(of('actor')).toContain('"its own"')
  expect(of('actor')).not.toMatch(/"of another"|"a word"/)
  expect(of('country')).toContain('"of another"')
  expect(of('country')).not.toMatch(/"its own"|"a word"/)
})

test('a watch tells of what a list says, and not of what it leaves open', async () => {
  const { watch, publish, receiver } = await startWatching(await takeDatabase('bff'))
  await watch(undefined, { filter: { q: '-has:analysis' } })
  await publish({ id: 'says no', ai_analysis: '' }, { id: 'says yes' })
  await expect.poll(() => receiver.received.length, { timeout: 5_000 }).toBe(1)
  expect(receiver.received[0]?.body).toContain('"says no"')
  expect(receiver.received[0]?.body).not.toMatch(/says yes/)
})

test('refuses to watch a search that cannot be evaluated, and to change a watched view to one', async () => {
  const { ask, watch, listed } = await startWatching(await takeDatabase('bff'))
  const gone = { filter: { q: 'profile:gone' } }
  const draft = { name: 'Gone', timeZone: 'UTC', isShared: false, ...gone }
  const view = viewSchema.parse(await (await ask('/bff/views', { body: draft })).json())
  const recipients = [{ channel: 'webhook', url: 'https://hooks.vendor.test/1' }]
  const refused = await ask('/bff/watches', { body: { viewId: view.id, recipients } })
  expect(await readProblem(refused)).toMatchObject({ status: 400, fields: [{ name: 'q' }] })
  expect(await listed()).toEqual([])

  const { watch: saved } = await watch(undefined, { filter: { q: 'has:evidence' } })
  expect(saved).not.toHaveProperty('searchFaults')
  const change = (body: object) => ask(`/bff/views/${saved.viewId}`, { method: 'PUT', body })
  expect((await change(gone)).status).toBe(400)
  expect((await change({ name: 'Renamed' })).status).toBe(200)
})

test('says of a watch from before that its search has lost its meaning', async () => {
  const database = await takeDatabase('bff')
  const { watch, listed } = await startWatching(database)
  const { watch: saved } = await watch()
  const search = (q: string) =>
    database.query('update saved_view set filter = $2 where id = $1', [saved.viewId, JSON.stringify({ q })])
  await search('profile:gone')
  expect(await listed()).toMatchObject([{ searchFaults: [expect.any(String)] }])
  await search('hospital OR source:forum.example OR -has:evidence')
  expect((await listed())[0]).not.toHaveProperty('searchFaults')
})

test('a paused watch tells nothing and the ledger says so; a lost window or another key tells nobody again', async () => {
  const database = await takeDatabase('bff')
  const { ask, rooms, watch, publish, receiver, ledger, readNewer, records } = await startWatching(database)
  const { watch: saved } = await watch()
  const setState = (state: string) => ask(`/bff/watches/${saved.id}`, { method: 'PUT', body: { state } })
  expect((await setState('paused')).status).toBe(200)
  await publish({ id: 'one' })
  const unsent = async () => (await ledger('?state=notSent')).deliveries
  await expect.poll(unsent, { timeout: 5_000 }).toMatchObject([{ reason: 'paused', threatCount: 1 }])
  expect((await setState('active')).status).toBe(200)
  await publish({ id: 'two' })
  await expect.poll(() => receiver.received.length, { timeout: 5_000 }).toBe(1)

  await database.query('delete from window_threat')
  await database.query('delete from window_reach')
  await readNewer()
  const changed = { body: { key: 'another-key-of-the-tests' }, method: 'PUT' }
  expect((await ask('/bff/keys/v1', changed)).status).toBe(200)
  await readNewer()
  expect(records).toHaveLength(3)
  await expect.poll(async () => (await rooms.store.state()).threats, { timeout: 5_000 }).toBe(3)
  expect((await ledger()).counts).toMatchObject({ sent: 1, notSent: 1, queued: 0, sending: 0 })
  expect(receiver.received).toHaveLength(1)
})

test('whoever was taken off, disabled or has lost their account while a message waited is told nothing', async () => {
  const database = await takeDatabase('bff')
  const started = await startWatching(database, { sending: 0, hasEmail: true })
  const { ask, watch, publish, receiver, ledger, send } = started
  const added = await database.query(
    `insert into account (email, name, role) values ('bob@example.com', 'Bob', 'analyst'), ('eve@example.com', 'Eve', 'viewer')
     returning id`,
  )
  const [bob, eve] = added.rows.map((row) => String(Object(row).id))
  const hook = { channel: 'webhook', url: `${receiver.origin}/hook` } as const
  const { watch: ended } = await watch([
    { channel: 'user', userId: bob ?? '' },
    { channel: 'user', userId: eve ?? '' },
    hook,
    { channel: 'webhook', url: `${receiver.origin}/gone` },
  ])
  const { watch: kept } = await watch([hook], { name: 'Still told' })
  const { watch: paused } = await watch([{ channel: 'webhook', url: `${receiver.origin}/paused` }], {
    name: 'Paused',
  })
  await publish({ id: 'one' })
  const [first, second] = ended.recipients
  const recipients = [first, second].map((one) => ({ channel: 'kept', id: one?.id }))
  expect((await ask(`/bff/watches/${ended.id}`, { method: 'PUT', body: { recipients } })).status).toBe(200)
  await ask(`/bff/watches/${paused.id}`, { method: 'PUT', body: { state: 'paused' } })
  await ask(`/bff/users/${bob}`, { method: 'PUT', body: { isDisabled: true } })
  await database.query('delete from account where id = $1', [eve])
  await send()
  await expect
    .poll(async () => (await ledger()).counts, { timeout: 5_000 })
    .toMatchObject({ notSent: 4, sent: 1, queued: 0 })
  const { deliveries } = await ledger('?state=notSent')
  expect(deliveries.map(({ channel, reason, attempts }) => [channel, reason, attempts]).sort()).toEqual([
    ['email', 'removed', 0],
    ['email', 'removed', 0],
    ['webhook', 'paused', 0],
    ['webhook', 'removed', 0],
  ])
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
  expect(receiver.received[0]?.body).toContain(kept.viewName)
  expect(receiver.received[0]?.body).not.toContain('"All"')
})

test('analysts name other users, without seeing addresses, and whoever is told can take themselves off', async () => {
  const database = await takeDatabase('bff')
  const { ask, watch, createBrowser } = await startWatching(database, { sending: 0 })
  const added = await database.query(
    `insert into account (email, name, role, password_hash, disabled_at)
     select lower(given.name) || '@example.com', given.name, given.role, password_hash, given.disabled_at
       from account,
            (values ('Vera', 'viewer', null), ('Anna', 'analyst', null), ('Otto', 'viewer', now()))
              as given(name, role, disabled_at)
     returning id, name`,
  )
  const [vera, anna] = [createBrowser(), createBrowser()]
  await vera.signIn({ ...ADMIN, email: 'vera@example.com' })
  await anna.signIn({ ...ADMIN, email: 'anna@example.com' })
  const listed = await (await anna.ask('/bff/watches/users')).text()
  expect(JSON.parse(listed).users.map(({ name }: { name: string }) => name)).toEqual(['ada', 'Anna', 'Vera'])
  expect(listed).not.toContain('@')
  expect((await vera.ask('/bff/watches/users')).status).toBe(403)

  const { watch: shared } = await watch(undefined, { isShared: true })
  const userId = added.rows.map(Object).find(({ name }) => name === 'Vera').id
  const recipients = [{ channel: 'user', userId }]
  const made = await anna.ask('/bff/watches', { body: { viewId: shared.viewId, recipients } })
  expect(made.status).toBe(201)
  const { id } = Object(await made.json()).watch
  await ask(`/bff/views/${shared.viewId}`, { method: 'PUT', body: { isShared: false } })
  const seenBy = async ({ ask: asking }: typeof vera) =>
    watchListSchema.parse(await (await asking('/bff/watches')).json()).watches.map((one) => one.id)
  expect(await seenBy(vera)).toEqual([id])
  const leave = () => vera.ask(`/bff/watches/${id}/recipients/me`, { method: 'DELETE' })
  expect([(await leave()).status, (await leave()).status]).toEqual([204, 404])
  expect(await seenBy(vera)).toEqual([])
  const audited = await ask('/bff/audit?timeZone=UTC&action=watch-changed')
  expect(await audited.json()).toMatchObject({
    events: [
      {
        actor: { email: 'vera@example.com' },
        before: { recipients: [`user ${userId}`] },
        after: { recipients: [] },
      },
    ],
  })
})

test('a viewer who is told of several threats is led to them, in text and HTML, by their watches', async () => {
  const mailServer = await startMailServer()
  const database = await takeDatabase('bff')
  const { ask, watch, publish, createBrowser } = await startWatching(database, { mail: mailServer.mail })
  const { rows } = await database.query(
    `insert into account (email, name, role, password_hash)
     select 'vera@example.com', 'Vera', 'viewer', password_hash from account returning id`,
  )
  const vera = createBrowser()
  await vera.signIn({ ...ADMIN, email: 'vera@example.com' })
  const recipients = [{ channel: 'user', userId: String(Object(rows[0]).id) }] as const
  const filter = { q: 'north & "west"', country: ['DE', 'FR'] }
  const search = '?country=DE&country=FR&q=north+%26+%22west%22'
  const { watch: first } = await watch([...recipients], { name: 'Ours', filter })
  const story = { title: 'North', summary: 'west' }
  await publish({ id: 'one', ...story }, { id: 'two', ...story })
  await expect.poll(() => mailServer.mails.length, { timeout: 5_000 }).toBe(1)
  const linksOf = (at: number) => {
    const text = (mailServer.mails[at]?.source ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=')
    return [...text.matchAll(/http:\/\/localhost:4173(\/(?:threats(?=\?)|alerts)[^\s"<]*)/g)].map(
      ([, path]) => path?.replaceAll('&amp;', '&'),
    )
  }
  expect(linksOf(0)).toEqual([`/threats${search}`, `/threats${search}`])
  const opened = await vera.ask(`/bff/threats${search}`)
  expect([opened.status, (await opened.json()).total]).toEqual([200, 2])

  await watch([...recipients], { name: 'All of it' })
  await database.query('update delivery_destination set gathers_until = null, free_at = null')
  await publish(
    { id: 'three', ...story, published_at: ago(-1) },
    { id: 'four', ...story, published_at: ago(-2) },
  )
  await expect.poll(() => mailServer.mails.length, { timeout: 5_000 }).toBe(2)
  const [link = '', html] = linksOf(1)
  expect(html).toBe(link)
  const since = await vera.ask(`/bff${link}`)
  expect((await since.json()).threats.map(({ id }: { id: string }) => id).sort()).toEqual(['four', 'three'])
  expect((await ask(`/bff/watches/${first.id}`, { method: 'DELETE' })).status).toBe(204)
})

test('viewers watch nothing; a view that goes ends its watch; an owner who loses the role stops it', async () => {
  const database = await takeDatabase('bff')
  const { ask, watch, createBrowser, receiver } = await startWatching(database, { sending: 0 })
  await database.query(
    `insert into account (email, name, role, password_hash)
     select 'eve@example.com', 'Eve', 'analyst', password_hash from account`,
  )
  const eve = createBrowser()
  await eve.signIn({ ...ADMIN, email: 'eve@example.com' })
  const { watch: shared } = await watch(undefined, { isShared: true })
  const url = `${receiver.origin}/eve`
  const body = { viewId: shared.viewId, recipients: [{ channel: 'webhook', url }] }
  const key = '7f0c6a52-7c0d-4d3e-9c50-0d4a52f0a001'
  const first = await eve.ask('/bff/watches', { body: { ...body, idempotencyKey: key } })
  const again = await eve.ask('/bff/watches', { body: { ...body, idempotencyKey: key } })
  const { watch: hers, secrets } = Object(await first.json())
  expect(Object.keys(secrets)).toHaveLength(1)
  expect(await again.json()).toMatchObject({ watch: { id: hers.id }, secrets: {} })
  expect((await readProblem(await eve.ask('/bff/watches', { body }))).code).toBe('conflict')
  const end = await eve.ask(`/bff/watches/${shared.id}`, { method: 'DELETE' })
  expect((await readProblem(end)).code).toBe('role_not_allowed')
  const inside = [{ channel: 'webhook', url: 'https://10.0.0.1/' }]
  const refused = await eve.ask(`/bff/watches/${hers.id}`, { method: 'PUT', body: { recipients: inside } })
  expect((await readProblem(refused)).fields).toMatchObject([{ name: 'recipients.0' }])
  const [recipient] = hers.recipients
  const tested = await eve.ask(`/bff/watches/${hers.id}/recipients/${recipient.id}/test`, { method: 'POST' })
  expect([tested.status, await tested.json()]).toMatchObject([202, { id: expect.any(String) }])
  const own = await (await eve.ask(`/bff/deliveries?causeKind=watch&causeId=${hers.id}`)).json()
  const cause = { kind: 'watch', id: hers.id, name: hers.viewName }
  expect(own).toMatchObject({ deliveries: [{ kind: 'test', causes: [cause] }] })

  const users = Object(await (await ask('/bff/users')).json()).users
  const { id } = users.find(({ name }: { name: string }) => name === 'Eve')
  await ask(`/bff/users/${id}`, { method: 'PUT', body: { role: 'viewer' } })
  const states = async () =>
    watchListSchema
      .parse(await (await ask('/bff/watches')).json())
      .watches.map(({ owner, state }) => [owner.name, state])
  expect(await states()).toEqual([
    ['ada', 'active'],
    ['Eve', 'paused'],
  ])
  const { items } = inboxSchema.parse(await (await ask('/bff/inbox')).json())
  expect(items).toMatchObject([
    {
      title: `The watch of “${hers.viewName}” is paused`,
      detail: expect.stringMatching(/^Eve, whose watch/),
    },
  ])
  await eve.signIn({ ...ADMIN, email: 'eve@example.com' })
  expect((await eve.ask('/bff/watches', { body })).status).toBe(403)
  expect((await eve.ask('/bff/deliveries')).status).toBe(403)
  expect((await ask(`/bff/views/${shared.viewId}`, { method: 'DELETE' })).status).toBe(204)
  expect(await states()).toEqual([])
})
