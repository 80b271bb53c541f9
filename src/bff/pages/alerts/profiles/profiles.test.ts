import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { lanternProfileListSchema } from '#contract/bff/alert-profile.ts'
import { ledgerDetailSchema } from '#contract/bff/delivery-ledger.ts'
import { inboxSchema } from '#contract/bff/inbox.ts'
import { ADMIN, readProblem } from '#test/support/ask-bff.ts'
import { startMailServer } from '#test/support/delivery/stand-in-mail-server.ts'
import { ago, startProfiles } from '#test/support/profiles/start-profiles.ts'
import { takeDatabase } from '#test/support/with-database.ts'

test('two processes send a new match once, within seconds', async () => {
  const database = await takeDatabase('bff')
  const { ask, create, publish, receiver, ledger } = await startProfiles(database, { sending: 2 })
  const { secrets, profile: saved } = await create(undefined, {
    name: 'Ours ‮',
    filter: { q: 'north\u0000wind' },
  })
  expect(Object.values(secrets)).toEqual([expect.stringMatching(/^whsec_/)])
  await publish(
    { id: 'new', title: 'North wind \u0000 <b>@here</b>' },
    { id: 'other', title: 'Else', summary: 'Else', victims: undefined },
    { id: 'long ago', title: 'North wind', published_at: ago(60 * 24 * 8) },
  )
  await expect.poll(() => receiver.received.length).toBe(1)
  expect(receiver.received[0]?.body).toContain('"new"')
  expect(receiver.received[0]?.body).not.toMatch(/long ago|"other"/)

  await expect.poll(async () => (await ledger('?state=sent')).deliveries).toHaveLength(1)
  const [line] = (await ledger()).deliveries
  expect(line).toMatchObject({ causes: [{ id: saved.id }], threatCount: 1 })
  const detail = await ask(`/bff/deliveries/${line?.id}`)
  expect(ledgerDetailSchema.parse(await detail.json())).toMatchObject({ threats: [{ id: 'new' }] })
  const answer = await ask('/bff/threats/new/deliveries')
  expect(await answer.json()).toMatchObject({ deliveries: [{ id: line?.id }], isVendorSending: true })
  const inbox = inboxSchema.parse(await (await ask('/bff/inbox')).json())
  expect(inbox).toMatchObject({ items: [{ kind: 'matches', title: '1 new threat in Ours ‮' }], unread: 1 })
  const read = await ask('/bff/inbox/read', { body: { upTo: inbox.items[0]?.at } })
  expect(await read.json()).toMatchObject({ unread: 0 })
  await sleep(300)
  expect(receiver.received).toHaveLength(1)
})

test('hosts of NOTIFY_HOSTS take messages of Slack and Teams, and no others do', async () => {
  const { ask, create, publish, receiver } = await startProfiles(await takeDatabase('bff'))
  expect(await (await ask('/bff/alert-profiles')).json()).toMatchObject({ hosts: ['vendor.test'] })
  const { profile: made } = await create([
    { channel: 'slack', url: `${receiver.origin}/slack` },
    { channel: 'teams', url: `${receiver.origin}/teams` },
  ])
  const elsewhere = { recipients: [{ channel: 'teams', url: 'https://elsewhere.test/teams' }] }
  const refused = await ask(`/bff/alert-profiles/${made.id}`, { method: 'PUT', body: elsewhere })
  expect(await readProblem(refused)).toMatchObject({ status: 400, fields: [{ name: 'recipients.0' }] })
  await publish({ id: 'new' })
  const paths = () => receiver.received.map(({ path }) => path).sort()
  await expect.poll(paths).toEqual(['/slack', '/teams'])
})

test('each profile shows a webhook that answered 410 as ended, until it accepts a test', async () => {
  const { create, publish, listed, ask } = await startProfiles(await takeDatabase('bff'), {
    statuses: [410],
  })
  const { profile: made } = await create()
  await create(undefined, { name: 'Another' })
  const ends = async () => (await listed()).flatMap(({ recipients }) => recipients)
  await publish({ id: 'first' })
  const ended = { channel: 'webhook', health: { state: 'ended', since: expect.stringMatching(/Z$/) } }
  await expect.poll(ends).toMatchObject([ended, ended])
  const path = `/bff/alert-profiles/${made.id}/recipients/${made.recipients[0]?.id}/test`
  expect((await ask(path, { method: 'POST' })).status).toBe(202)
  const proven = { health: { state: 'proven', fault: null, remedy: null } }
  await expect.poll(ends).toMatchObject([proven, proven])
})

test('a recipient says whether messages reach it; also one that was entered under another SECRET', async () => {
  const database = await takeDatabase('bff')
  const { create, publish, listed } = await startProfiles(database, { statuses: [404], hasEmail: true })
  await create([
    { channel: 'webhook', url: 'https://vendor.test:9/hook' },
    { channel: 'email', address: 'ada@example.com' },
  ])
  const healths = async () =>
    (await listed()).flatMap(({ recipients }) => recipients.map(({ health }) => health))
  expect(await healths()).toMatchObject([{ state: 'unproven' }, { state: 'unproven' }])
  await publish({ id: 'first' })
  const failing = (code: string | null, excerpt: string) => ({
    state: 'failing',
    since: expect.stringMatching(/Z$/),
    provenAt: null,
    fault: { code, excerpt },
    remedy: expect.stringMatching(
      /^Check that the server runs .+ Lantern tries again on \d+ \w+ 20.+ UTC\.$/,
    ),
  })
  await expect
    .poll(healths)
    .toMatchObject([
      failing(null, 'Connection refused.'),
      failing(null, 'No connection to the mail server: connection refused.'),
    ])
  await database.query(`update alert_recipient set sealed = sealed || '\\x00' where channel = 'email'`)
  expect(await healths()).toMatchObject([
    { state: 'failing' },
    { state: 'unopenable', remedy: expect.stringMatching(/^SECRET was replaced\. Set SECRET_BEFORE/) },
  ])
})

test('a filter means exactly one actor or country, not each threat that names it', async () => {
  const { create, publish, receiver } = await startProfiles(await takeDatabase('bff'))
  const hook = (path: string) => [{ channel: 'webhook' as const, url: `${receiver.origin}/${path}` }]
  await create(hook('actor'), { name: 'Hunters', filter: { actor: ['Hunters'] } })
  await create(hook('country'), { name: 'Germany', filter: { country: ['DE'] } })
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
  await expect.poll(() => receiver.received.length).toBe(2)
  expect(of('actor')).toContain('"its own"')
  expect(of('actor')).not.toMatch(/"of another"|"a word"/)
  expect(of('country')).toContain('"of another"')
  expect(of('country')).not.toMatch(/"its own"|"a word"/)
})

test('a profile reports what a list says, and not of what it leaves open', async () => {
  const { create, publish, receiver } = await startProfiles(await takeDatabase('bff'))
  await create(undefined, { filter: { q: '-has:analysis' } })
  await publish({ id: 'says no', ai_analysis: '' }, { id: 'says yes' })
  await expect.poll(() => receiver.received.length).toBe(1)
  expect(receiver.received[0]?.body).toContain('"says no"')
  expect(receiver.received[0]?.body).not.toMatch(/says yes/)
})

test('refuses a search that cannot be evaluated, and says so of one that has lost its meaning', async () => {
  const database = await takeDatabase('bff')
  const { ask, create, listed } = await startProfiles(database)
  const gone = { filter: { q: 'profile:gone' } }
  const recipients = [{ channel: 'webhook', url: 'https://hooks.vendor.test/1' }]
  const body = { name: 'Gone', timeZone: 'UTC', isShared: false, ...gone, recipients }
  const refused = await ask('/bff/alert-profiles', { body })
  expect(await readProblem(refused)).toMatchObject({ status: 400, fields: [{ name: 'q' }] })
  expect(await listed()).toEqual([])

  const { profile: saved } = await create(undefined, { filter: { q: 'has:evidence' } })
  expect(saved).not.toHaveProperty('filterFaults')
  const change = (body: object) => ask(`/bff/alert-profiles/${saved.id}`, { method: 'PUT', body })
  expect((await change(gone)).status).toBe(400)
  const renamed = { name: 'Renamed', filter: { q: 'hospital' }, timeZone: 'Europe/Berlin', isShared: true }
  expect((await change(renamed)).status).toBe(200)
  expect(await listed()).toMatchObject([{ ...renamed, recipients: saved.recipients }])

  await database.query('update alert_profile set filter = $1', [JSON.stringify(gone.filter)])
  expect(await listed()).toMatchObject([{ filterFaults: [expect.any(String)], window: null }])
})

test('a profile copied from a view is independent, and counts its matches of 30 days', async () => {
  const { ask, create, publish, listed } = await startProfiles(await takeDatabase('bff'))
  const draft = { name: 'View', filter: { q: 'northwind' }, timeZone: 'UTC', isShared: false }
  const { id } = Object(await (await ask('/bff/views', { body: draft })).json())
  await create(undefined, draft)
  await publish(
    { id: 'one', title: 'Northwind' },
    { id: 'two', title: 'Northwind', published_at: ago(60 * 24 * 40) },
  )
  expect((await ask(`/bff/views/${id}`, { method: 'DELETE' })).status).toBe(204)
  await expect.poll(async () => (await listed())[0]?.window?.matches).toBe(2)
})

test('a pause ends by itself: then what matches is sent again', async () => {
  const database = await takeDatabase('bff')
  const { ask, create, publish, receiver, listed } = await startProfiles(database)
  const { profile: saved } = await create()
  const change = (body: object) => ask(`/bff/alert-profiles/${saved.id}`, { method: 'PUT', body })
  expect((await change({ pausedUntil: ago(1) })).status).toBe(400)
  expect((await change({ state: 'active', pausedUntil: ago(-60) })).status).toBe(400)
  const pausedUntil = ago(-60)
  expect((await change({ pausedUntil })).status).toBe(200)
  expect(await listed()).toMatchObject([{ state: 'paused', pausedUntil }])
  await publish({ id: 'one' })
  await database.query(`update alert_profile set paused_until = now() - interval '1 second'`)
  expect(await listed()).toMatchObject([{ state: 'active', pausedUntil: null }])
  await publish({ id: 'two' })
  await expect.poll(() => receiver.received.length).toBe(1)
  expect(receiver.received[0]?.body).not.toContain('"one"')
})

test('a paused profile sends nothing and the ledger says so; a lost window or another key sends nothing again', async () => {
  const database = await takeDatabase('bff')
  const { ask, rooms, create, publish, receiver, ledger, readNewer, records } = await startProfiles(database)
  const { profile: saved } = await create()
  const setState = (state: string) =>
    ask(`/bff/alert-profiles/${saved.id}`, { method: 'PUT', body: { state } })
  expect((await setState('paused')).status).toBe(200)
  await publish({ id: 'one' })
  const unsent = async () => (await ledger('?state=notSent')).deliveries
  await expect.poll(unsent).toMatchObject([{ reason: 'paused', threatCount: 1 }])
  expect((await setState('active')).status).toBe(200)
  await publish({ id: 'two' })
  await expect.poll(() => receiver.received.length).toBe(1)

  await database.query('delete from window_threat')
  await database.query('delete from window_reach')
  await readNewer()
  const changed = { body: { key: 'another-key-of-the-tests' }, method: 'PUT' }
  expect((await ask('/bff/keys/v1', changed)).status).toBe(200)
  await readNewer()
  expect(records).toHaveLength(3)
  await expect.poll(async () => (await rooms.store.state()).threats).toBe(3)
  expect((await ledger()).counts).toMatchObject({ sent: 1, notSent: 1, queued: 0, sending: 0 })
  expect(receiver.received).toHaveLength(1)
})

test('sends no waiting message to a recipient who was removed, disabled or deleted', async () => {
  const database = await takeDatabase('bff')
  const started = await startProfiles(database, { sending: 0, hasEmail: true })
  const { ask, create, publish, receiver, ledger, send } = started
  const added = await database.query(
    `insert into account (email, name, role) values ('bob@example.com', 'Bob', 'analyst'), ('eve@example.com', 'Eve', 'viewer')
     returning id`,
  )
  const [bob, eve] = added.rows.map((row) => String(Object(row).id))
  const hook = { channel: 'webhook', url: `${receiver.origin}/hook` } as const
  const { profile: ended } = await create([
    { channel: 'user', userId: bob ?? '' },
    { channel: 'user', userId: eve ?? '' },
    hook,
    { channel: 'webhook', url: `${receiver.origin}/gone` },
  ])
  const { profile: kept } = await create([hook], { name: 'Still told' })
  const { profile: paused } = await create([{ channel: 'webhook', url: `${receiver.origin}/paused` }], {
    name: 'Paused',
  })
  await publish({ id: 'one' })
  const [first, second] = ended.recipients
  const recipients = [first, second].map((one) => ({ channel: 'kept', id: one?.id }))
  expect((await ask(`/bff/alert-profiles/${ended.id}`, { method: 'PUT', body: { recipients } })).status).toBe(
    200,
  )
  await ask(`/bff/alert-profiles/${paused.id}`, { method: 'PUT', body: { state: 'paused' } })
  await ask(`/bff/users/${bob}`, { method: 'PUT', body: { isDisabled: true } })
  await database.query('delete from account where id = $1', [eve])
  await send()
  await expect.poll(async () => (await ledger()).counts).toMatchObject({ notSent: 4, sent: 1, queued: 0 })
  const { deliveries } = await ledger('?state=notSent')
  expect(deliveries.map(({ channel, reason, attempts }) => [channel, reason, attempts]).sort()).toEqual([
    ['email', 'removed', 0],
    ['email', 'removed', 0],
    ['webhook', 'paused', 0],
    ['webhook', 'removed', 0],
  ])
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
  expect(receiver.received[0]?.body).toContain(kept.name)
  expect(receiver.received[0]?.body).not.toContain('"All"')
})

test('analysts name other users, without seeing addresses, and recipients can remove themselves', async () => {
  const database = await takeDatabase('bff')
  const { ask, create, createBrowser } = await startProfiles(database, { sending: 0 })
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
  const listed = await (await anna.ask('/bff/alert-profiles/users')).text()
  expect(JSON.parse(listed).users.map(({ name }: { name: string }) => name)).toEqual(['ada', 'Anna', 'Vera'])
  expect(listed).not.toContain('@')
  expect((await vera.ask('/bff/alert-profiles/users')).status).toBe(403)

  const { profile: shared } = await create(undefined, { isShared: true })
  const userId = added.rows.map(Object).find(({ name }) => name === 'Vera').id
  const recipients = [{ channel: 'user', userId }]
  const body = { name: 'Anna’s', filter: {}, timeZone: 'UTC', isShared: false, recipients }
  const made = await anna.ask('/bff/alert-profiles', { body })
  expect(made.status).toBe(201)
  const { id } = Object(await made.json()).profile
  await ask(`/bff/alert-profiles/${shared.id}`, { method: 'PUT', body: { isShared: false } })
  const seenBy = async ({ ask: asking }: typeof vera) =>
    lanternProfileListSchema
      .parse(await (await asking('/bff/alert-profiles')).json())
      .profiles.map((one) => one.id)
  expect(await seenBy(vera)).toEqual([id])
  const leave = () => vera.ask(`/bff/alert-profiles/${id}/recipients/me`, { method: 'DELETE' })
  expect([(await leave()).status, (await leave()).status]).toEqual([204, 404])
  expect(await seenBy(vera)).toEqual([])
  const audited = await ask('/bff/audit?timeZone=UTC&action=alert-changed')
  expect(Object(await audited.json()).events[0]).toMatchObject({
    actor: { email: 'vera@example.com' },
    before: { recipients: [`user ${userId}`] },
    after: { recipients: [] },
  })
})

test('a viewer’s message about several threats links to them, in text and HTML', async () => {
  const mailServer = await startMailServer()
  const database = await takeDatabase('bff')
  const { ask, create, publish, createBrowser } = await startProfiles(database, { mail: mailServer.mail })
  const { rows } = await database.query(
    `insert into account (email, name, role, password_hash)
     select 'vera@example.com', 'Vera', 'viewer', password_hash from account returning id`,
  )
  const vera = createBrowser()
  await vera.signIn({ ...ADMIN, email: 'vera@example.com' })
  const recipients = [{ channel: 'user', userId: String(Object(rows[0]).id) }] as const
  const filter = { q: 'north & "west"', country: ['DE', 'FR'] }
  const search = '?country=DE&country=FR&q=north+%26+%22west%22'
  const { profile: first } = await create([...recipients], { name: 'Ours', filter })
  const story = { title: 'North', summary: 'west' }
  await publish({ id: 'one', ...story }, { id: 'two', ...story })
  await expect.poll(() => mailServer.mails.length).toBe(1)
  const linksOf = (at: number) => {
    const text = (mailServer.mails[at]?.source ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=')
    return [...text.matchAll(/http:\/\/localhost:4173(\/(?:threats(?=\?)|alerts)[^\s"<]*)/g)].map(
      ([, path]) => path?.replaceAll('&amp;', '&'),
    )
  }
  expect(linksOf(0)).toEqual([`/threats${search}`, `/threats${search}`])
  const opened = await vera.ask(`/bff/threats${search}`)
  expect([opened.status, (await opened.json()).total]).toEqual([200, 2])

  await create([...recipients], { name: 'All of it' })
  await database.query('update delivery_destination set gathers_until = null, free_at = null')
  await publish(
    { id: 'three', ...story, published_at: ago(-1) },
    { id: 'four', ...story, published_at: ago(-2) },
  )
  await expect.poll(() => mailServer.mails.length).toBe(2)
  const [link = '', html] = linksOf(1)
  expect(html).toBe(link)
  const since = await vera.ask(`/bff${link}`)
  expect((await since.json()).threats.map(({ id }: { id: string }) => id).sort()).toEqual(['four', 'three'])
  expect((await ask(`/bff/alert-profiles/${first.id}`, { method: 'DELETE' })).status).toBe(204)
})

test('viewers create nothing; owners and admins change; a lost role passes the profile to the admins', async () => {
  const database = await takeDatabase('bff')
  const { ask, create, createBrowser, receiver, publish, ledger } = await startProfiles(database, {
    sending: 0,
  })
  await database.query(
    `insert into account (email, name, role, password_hash)
     select 'eve@example.com', 'Eve', 'analyst', password_hash from account`,
  )
  const eve = createBrowser()
  await eve.signIn({ ...ADMIN, email: 'eve@example.com' })
  const { profile: shared } = await create(undefined, { isShared: true })
  const url = `${receiver.origin}/eve`
  const recipients = [{ channel: 'webhook', url }]
  const body = { name: 'Hers', filter: {}, timeZone: 'UTC', isShared: false, recipients }
  const key = '7f0c6a52-7c0d-4d3e-9c50-0d4a52f0a001'
  const first = await eve.ask('/bff/alert-profiles', { body: { ...body, idempotencyKey: key } })
  const again = await eve.ask('/bff/alert-profiles', { body: { ...body, idempotencyKey: key } })
  const { profile: hers, secrets } = Object(await first.json())
  expect(Object.keys(secrets)).toHaveLength(1)
  expect(await again.json()).toMatchObject({ profile: { id: hers.id }, secrets: {} })
  const end = await eve.ask(`/bff/alert-profiles/${shared.id}`, { method: 'DELETE' })
  expect((await readProblem(end)).code).toBe('role_not_allowed')
  const inside = { recipients: [{ channel: 'webhook', url: 'https://10.0.0.1/' }] }
  const refused = await eve.ask(`/bff/alert-profiles/${hers.id}`, { method: 'PUT', body: inside })
  expect((await readProblem(refused)).fields).toMatchObject([{ name: 'recipients.0' }])
  const [recipient] = hers.recipients
  const path = `/bff/alert-profiles/${hers.id}/recipients/${recipient.id}/test`
  const tested = await eve.ask(path, { method: 'POST' })
  expect([tested.status, await tested.json()]).toMatchObject([202, { id: expect.any(String) }])
  const own = await (await eve.ask(`/bff/deliveries?causeId=${hers.id}`)).json()
  const cause = { id: hers.id, name: hers.name }
  expect(own).toMatchObject({ deliveries: [{ kind: 'test', causes: [cause] }] })

  const users = Object(await (await ask('/bff/users')).json()).users
  const { id } = users.find(({ name }: { name: string }) => name === 'Eve')
  await ask(`/bff/users/${id}`, { method: 'PUT', body: { role: 'viewer' } })
  const seen = async (asking: typeof ask) =>
    lanternProfileListSchema
      .parse(await (await asking('/bff/alert-profiles')).json())
      .profiles.map(({ name, owner, state }) => [name, owner?.name ?? null, state])
  expect(await seen(ask)).toEqual([
    ['All', 'ada', 'active'],
    ['Hers', null, 'active'],
  ])
  const { items } = inboxSchema.parse(await (await ask('/bff/inbox')).json())
  expect(items).toMatchObject([{ title: 'The alert profile “Hers” is now the admins’' }])
  await publish({ id: 'after' })
  await expect.poll(async () => (await ledger()).counts).toMatchObject({ queued: 3 })
  expect(inboxSchema.parse(await (await ask('/bff/inbox')).json()).items).toHaveLength(2)
  await eve.signIn({ ...ADMIN, email: 'eve@example.com' })
  expect(await seen(eve.ask)).toEqual([['All', 'ada', 'active']])
  expect((await eve.ask('/bff/alert-profiles', { body })).status).toBe(403)
  expect((await eve.ask('/bff/deliveries')).status).toBe(403)
})
