import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { sealRecipient } from '#bff/notify/recipient-seals.ts'
import { ledgerSchema } from '#contract/bff/delivery-ledger.ts'
import { inboxSchema } from '#contract/bff/inbox.ts'
import { triageChangeSchema, triageHistorySchema } from '#contract/bff/triage.ts'
import { triageStatesSchema } from '#contract/bff/triage-state.ts'
import { userAddedSchema, userListSchema } from '#contract/bff/user.ts'
import { viewListSchema } from '#contract/bff/view.ts'
import type { Database } from '#database/database.ts'
import { openDestination } from '#delivery/destinations.ts'
import { gatherMatches } from '#delivery/gather-matches.ts'
import { readDatabaseTime } from '#delivery/ledger-access.ts'
import { ADMIN } from '#test/support/ask-bff.ts'
import { aMatch, enqueueTo, sendTest } from '#test/support/delivery/deliveries.ts'
import { nameThreats } from '#test/support/name-threats.ts'
import { startSignedIn } from '#test/support/start-signed-in.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { runAuditCommand } from './audit-command.ts'
import { recordAudit } from './record-audit.ts'
import { verifyAudit } from './verify-audit.ts'

const BOB = {
  email: 'bob.mallory@corp.example',
  name: 'Robert Mallory',
  password: 'four words of an analyst',
}
const SECRET = 'secret-of-the-tests-and-long-enough'
const VIEW = { filter: {}, timeZone: 'UTC' }
const IDS = ['t-1', 't-2', 't-3']

test('an erasure removes a person’s name everywhere except in comments, and reports those', async () => {
  const database = await takeDatabase('bff')
  const upstream = { url: 'http://127.0.0.1:9', kind: 'vendor' } as const
  const lantern = await startSignedIn(database, { upstream })
  const { id, ask } = await letBobIn(lantern)
  await nameThreats(database, ...IDS)
  const act = async (who: typeof ask, body: unknown) =>
    triageChangeSchema.parse(await (await who('/bff/triage', { body })).json())
  await ask('/bff/profile', { method: 'PUT', body: { name: 'Bobby Mallory' } })
  await act(ask, { action: 'star', ids: IDS })
  await act(ask, { action: 'read', ids: IDS })
  await act(ask, { action: 'close', ids: ['t-2'], reason: 'duplicate' })
  await act(ask, { action: 'note', ids: ['t-1'], text: 'called the victim' })
  await ask('/bff/views', { body: { ...VIEW, name: 'Mine', isShared: false } })
  await ask('/bff/views', { body: { ...VIEW, name: 'Ours', isShared: true } })
  await act(lantern.ask, { action: 'unstar', ids: ['t-3'] })
  const note = { action: 'note', ids: ['t-1'], text: `ask ${BOB.email}`, idempotencyKey: randomUUID() }
  await act(lantern.ask, note)
  await lantern.ask(`/bff/audit/export?timeZone=UTC&format=json&who=${encodeURIComponent(BOB.email)}`)
  await recordRefusal(database)
  await database.query(
    `insert into alert_creation (source, account_id, draft_hash, sent_at, state) values ('x', $1, sha256(''), now(), 'sent')`,
    [id],
  )
  await database.query(
    `with event as (
       insert into case_event (account_id, who, action, before) values ($1, $2, 'keep-apart', '[]'))
     insert into case_decision (one_id, other_id, decision, who) values ('t-1', 't-2', 'apart', $2)`,
    [id, BOB.email],
  )
  const before = await tablesThatTell(database)
  expect(before).toEqual(
    expect.arrayContaining([
      ...['account', 'audit_personal', 'case_decision', 'case_event', 'idempotency_key'],
      ...['triage_event', 'triage_state'],
    ]),
  )

  const refused = await erase(database, id)
  expect(refused).toEqual({
    isErased: false,
    text: `Nothing was erased: disable ${BOB.email} in Settings, Users, first`,
  })
  expect(await tablesThatTell(database)).toEqual(before)
  await lantern.ask(`/bff/users/${id}`, { method: 'PUT', body: { isDisabled: true } })
  const { isErased, text } = await erase(database, id)
  expect(isErased).toBe(true)
  expect(text).toContain('their name in triage: changes 4, threats 3, mentions 0; in cases: changes 1')
  expect(text).toContain(
    `views 1, lists of names 0 (shared ones, which are ${ADMIN.email}’s now, stay: 1); drafts of alerts 1`,
  )
  expect(text).toContain('comments 1; their name or address is still in triage_event.text (1)')

  expect(await tablesThatTell(database)).toEqual(['triage_event'])
  await database.query(`update triage_event set text = 'ask somebody' where strpos(text, $1) > 0`, [
    BOB.email,
  ])
  expect(await tablesThatTell(database)).toEqual([])
  expect(await tablesThatHave(database, id)).toEqual(['audit_record', 'case_event', 'triage_event'])
  expect(await verifyAudit(database)).toMatchObject({ faults: [] })

  const states = await lantern.ask('/bff/triage/states', { body: { ids: IDS } })
  const [first] = triageStatesSchema.parse(await states.json()).states
  expect(first).toMatchObject({ starred: { who: 'erased person' }, notes: 2 })
  const history = await lantern.ask('/bff/triage/t-1/history')
  const { events } = triageHistorySchema.parse(await history.json())
  expect(events.map(({ who }) => who)).toEqual(['ada', ...Array(3).fill('erased person')])
  const { views } = viewListSchema.parse(await (await lantern.ask('/bff/views')).json())
  expect(views).toMatchObject([{ name: 'Ours', owner: { isMe: true } }])
  const { users } = userListSchema.parse(await (await lantern.ask('/bff/users')).json())
  expect(users.map(({ email }) => email)).toEqual([ADMIN.email])
  expect((await ask('/bff/views')).status).toBe(401)
  expect((await erase(database, id)).text).toMatch(/no account: none has this id.*no text was searched/s)
})

test('comments no longer name an erased person whom they mention, nor notices the one who wrote them', async () => {
  const database = await takeDatabase('bff')
  const upstream = { url: 'http://127.0.0.1:9', kind: 'vendor' } as const
  const lantern = await startSignedIn(database, { upstream })
  const { id, ask } = await letBobIn(lantern)
  await nameThreats(database, ...IDS)
  const { rows } = await database.query(
    `insert into account (email, name, role) values ('grace@corp.example', 'Grace', 'viewer') returning id::text`,
  )
  const graceId = String(Object(rows[0]).id)
  const comment = { action: 'note', ids: ['t-1'] }
  const both = [
    { accountId: id, start: 0, end: 15 },
    { accountId: graceId, start: 17, end: 23 },
  ]
  await lantern.ask('/bff/triage', { body: { ...comment, text: '@Robert Mallory, @Grace!', mentions: both } })
  const grace = [{ accountId: graceId, start: 4, end: 10 }]
  await ask('/bff/triage', { body: { ...comment, text: 'Ask @Grace', mentions: grace } })
  expect(await tablesThatHave(database, BOB.name)).toEqual(expect.arrayContaining(['inbox_item']))

  await lantern.ask(`/bff/users/${id}`, { method: 'PUT', body: { isDisabled: true } })
  expect((await erase(database, id)).text).toContain('mentions 1')
  expect(await tablesThatHave(database, BOB.name)).toEqual([])
  const history = await lantern.ask('/bff/triage/t-1/history')
  expect(triageHistorySchema.parse(await history.json()).events).toMatchObject([
    { who: 'erased person', text: 'Ask @Grace', mentions: [{ start: 4, end: 10, name: 'Grace' }] },
    { text: '@erased person, @Grace!', mentions: [{ start: 16, end: 22, name: 'Grace' }] },
  ])
  const notices = await database.query('select detail from inbox_item where account_id = $1', [graceId])
  expect(notices.rows).toEqual([{ detail: '@erased person, @Grace!' }])
})

test('nothing that the ledger or an alert profile has of an erased person’s address can be opened any more', async () => {
  const database = await takeDatabase('bff')
  const upstream = { url: 'http://127.0.0.1:9', kind: 'vendor' } as const
  const lantern = await startSignedIn(database, { upstream })
  const { id } = await letBobIn(lantern)
  const access = { secret: SECRET }
  const to = (destination: string) => ({ channel: 'email', destination })
  const test = { requestedBy: BOB.name, causes: [], link: 'http://localhost/' }
  await sendTest(database, { to: to('ada@corp.example'), ...test }, access)
  await enqueueTo(
    database,
    [aMatch('t1', { destinations: [to('Bob.Mallory@corp.example'), to('bob.m@corp.example')] })],
    access,
  )
  await gatherMatches(database, readDatabaseTime)
  const view = await (
    await lantern.ask('/bff/views', { body: { ...VIEW, name: 'Ours', isShared: true } })
  ).json()
  const { sealed, fingerprint } = sealRecipient(SECRET, 'email', BOB.email)
  await database.query(
    `with profile as (
       insert into alert_profile (account_id, name, filter, time_zone, is_shared)
       select account_id, name, filter, time_zone, is_shared from saved_view where id = $1 returning id)
     insert into alert_recipient (profile_id, position, channel, fingerprint, sealed, masked)
     select id, 0, 'email', decode($2, 'hex'), decode($3, 'hex'), 'b…@corp.example' from profile`,
    [view.id, fingerprint, sealed],
  )
  await lantern.ask(`/bff/users/${id}`, { method: 'PUT', body: { isDisabled: true } })
  const { text } = await erase(database, id)
  expect(text).toContain('their address in messages 1, in alert profiles 1')

  const readLedger = async () => {
    const { deliveries } = ledgerSchema.parse(await (await lantern.ask('/bff/deliveries')).json())
    return deliveries.map(({ destination, state, reason }) => [destination, state, reason]).sort()
  }
  // A worker may have been about to send it.
  await expect.poll(readLedger).toEqual([
    ['a…@corp.example', expect.any(String), null],
    ['b…@corp.example', expect.any(String), null],
    ['erased person', 'notSent', 'removed'],
  ])
  expect((await database.query('select from alert_recipient')).rowCount).toBe(0)
  const { rows } = await database.query(
    `select channel, encode(fingerprint, 'hex') as fingerprint, encode(sealed, 'hex') as sealed from delivery_destination`,
  )
  const opened = rows.map((row) => openDestination(sealedSchema.parse(row), SECRET))
  expect(opened.toSorted()).toEqual(['ada@corp.example', 'bob.m@corp.example', null])
  expect(await tablesThatTell(database)).toEqual([])
})

test('removes the text of digests that name an erased person, also of waiting ones', async () => {
  const database = await takeDatabase('bff')
  const upstream = { url: 'http://127.0.0.1:9', kind: 'vendor' } as const
  const lantern = await startSignedIn(database, { upstream })
  const { id } = await letBobIn(lantern)
  const digest = (by: string) => ({
    kind: 'notice',
    subject: 'Handover: 1 case',
    text: `Closed · By: ${by}`,
    link: 'http://localhost/shift',
    report: { parts: [{ lines: [{ facts: [{ label: 'By', value: by }] }] }] },
  })
  await database.query(
    `with destination as (
       insert into delivery_destination (channel, fingerprint, sealed, masked)
       values ('email', sha256(''), '', 'a…@corp.example') returning id)
     insert into delivery (destination_id, kind, content, created_at, touched_at, next_attempt_at)
     select id, 'digest', content, now(), now(), now() + interval '1 day'
       from destination, jsonb_array_elements($1::jsonb) as given (content)`,
    [JSON.stringify([digest(BOB.name), digest(BOB.email), digest('Grace')])],
  )
  await lantern.ask(`/bff/users/${id}`, { method: 'PUT', body: { isDisabled: true } })
  await erase(database, id)
  expect(await tablesThatTell(database)).toEqual([])
  const { rows } = await database.query(`select content from delivery order by content ->> 'text'`)
  const { report: _, ...erased } = digest('')
  const text = 'Left out, because it named an erased person.'
  expect(rows.map((row) => Object(row).content)).toEqual([
    digest('Grace'),
    { ...erased, text },
    { ...erased, text },
  ])
})

test('keeps stored answers in which a short name occurs only within other words', async () => {
  const database = await takeDatabase('bff')
  const upstream = { url: 'http://127.0.0.1:9', kind: 'vendor' } as const
  const lantern = await startSignedIn(database, { upstream })
  const { id } = await letBobIn(lantern)
  await database.query(`update account set name = 'Al', disabled_at = now() where id = $1`, [id])
  const answers = ['{"owner":{"name":"AL"}}', '{"owner":{"name":"Alice"}}', '{"states":[],"isReal":true}']
  await database.query(
    `insert into idempotency_key (account_id, key, request_hash, answer)
     select account.id, gen_random_uuid(), sha256(''), given.answer
       from account, unnest($1::text[]) as given (answer) where email = $2`,
    [answers, ADMIN.email],
  )
  await erase(database, id)
  const { rows } = await database.query('select answer from idempotency_key order by answer')
  expect(rows.map((row) => Object(row).answer)).toEqual(answers.slice(1))
})

test('admins read that the alert profiles of an erased person are theirs now', async () => {
  const database = await takeDatabase('bff')
  const upstream = { url: 'http://127.0.0.1:9', kind: 'vendor' } as const
  const lantern = await startSignedIn(database, { upstream })
  const { id } = await letBobIn(lantern)
  // Not by the dashboard, which hands profiles over at once.
  await database.query('update account set disabled_at = now() where id = $1', [id])
  await database.query(
    `insert into alert_profile (account_id, name, filter, time_zone, is_shared)
     values ($1, 'Clinics', '{}', 'UTC', false)`,
    [id],
  )
  expect((await erase(database, id)).isErased).toBe(true)
  const { items } = inboxSchema.parse(await (await lantern.ask('/bff/inbox')).json())
  expect(items).toMatchObject([{ title: 'The alert profile “Clinics” is now the admins’' }])
  const { rows } = await database.query('select account_id, is_pass_unmailed from alert_profile')
  expect(rows).toEqual([{ account_id: null, is_pass_unmailed: true }])
})

const sealedSchema = z.object({ channel: z.string(), fingerprint: z.string(), sealed: z.string() })

async function letBobIn(lantern: Awaited<ReturnType<typeof startSignedIn>>) {
  const { email, name, password } = BOB
  const added = await lantern.ask('/bff/users', { body: { email, name, role: 'analyst' } })
  const { user, link } = userAddedSchema.parse(await added.json())
  const token = new URL(link?.url ?? '').hash.split('=').at(-1)
  const answer = await lantern.ask('/bff/sign-in/password-link', {
    body: { token, password },
    headers: { cookie: '' },
  })
  const cookie = answer.headers.getSetCookie().at(0)?.split(';').at(0) ?? ''
  const ask: typeof lantern.ask = (path, request) => lantern.ask(path, { ...request, headers: { cookie } })
  return { id: user.id, ask }
}

/** Single sign-on records refused people so. */
function recordRefusal(database: Database): Promise<void> {
  const facts = { route: 'POST /bff/sign-in/sso/finish', address: '192.0.2.7', requestId: 'r-1' }
  return recordAudit(database, {
    actor: null,
    action: 'sign-in-failed',
    object: null,
    objectName: BOB.email,
    ...facts,
  })
}

async function erase(database: Database, accountId: string) {
  const lines: string[] = []
  const print = (line: string) => lines.push(line)
  const isErased = await runAuditCommand(database, { name: 'erase', accountId }, { print, secrets: [SECRET] })
  return { isErased, text: lines.join('\n') }
}

async function tablesThatTell(database: Database): Promise<string[]> {
  const found = await Promise.all(
    [BOB.email, 'bob.mallory', BOB.name, 'Bobby Mallory'].map((word) => tablesThatHave(database, word)),
  )
  return [...new Set(found.flat())].sort()
}

/** All columns of all tables, as text. */
async function tablesThatHave(database: Database, word: string): Promise<string[]> {
  const { rows } = await database.query(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by name`,
  )
  const tables = z.array(z.object({ name: z.string() })).parse(rows)
  expect(tables.length).toBeGreaterThan(20)
  const found: string[] = []
  for (const { name } of tables) {
    const { rowCount } = await database.query(
      `select from ${name} as listed where strpos(lower(listed::text), lower($1)) > 0`,
      [word],
    )
    if (rowCount > 0) found.push(name)
  }
  return found
}
