import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { RecipientDraft } from '#contract/bff/recipient.ts'
import type { Shift } from '#contract/bff/shift.ts'
import { deliverySchema } from '#contract/delivery.ts'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import { contentSchema } from '#delivery/message.ts'
import { ADMIN, readProblem } from '#test/support/ask-bff.ts'
import { killedAt } from '#test/support/delivery/killed-at.ts'
import { startMailServer } from '#test/support/delivery/stand-in-mail-server.ts'
import { createDigestProcess } from '#test/support/profiles/create-digest-process.ts'
import { startProfiles } from '#test/support/profiles/start-profiles.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const DAILY = { kind: 'daily', hour: 8 } as const
const idsSchema = z.array(z.object({ id: z.uuid() }))
const NO_CASES = { cases: 0, filter: {}, newest: [] }
const QUIET: Shift = {
  since: '2026-03-01T00:00:00Z',
  added: NO_CASES,
  overdue: { ...NO_CASES, states: [] },
  closed: { cases: 0, newest: [] },
  open: { cases: 0, filter: {} },
  lists: [],
  hasLists: false,
  owners: [],
  comments: { count: 0, newest: [] },
}

/** A dashboard of Ada, an admin, and of Eve, an analyst, who get mails. */
async function startShift({ sending = 1 } = {}) {
  const database = await takeDatabase('bff')
  const { mail, mails } = await startMailServer()
  const started = await startProfiles(database, { sending, mail, origin: 'https://lantern.example' })
  await database.query(
    `insert into account (email, name, role, password_hash)
     select 'eve@example.com', 'Eve', 'analyst', password_hash from account`,
  )
  const { rows } = await database.query('select id from account order by email')
  const [ada, eve] = idsSchema.parse(rows).map(({ id }): RecipientDraft => ({ channel: 'user', userId: id }))
  if (!ada || !eve) throw new Error('There are two accounts')
  const draft = { name: 'Handover', isShift: true, schedule: DAILY }
  return {
    ...started,
    database,
    mail,
    mails,
    ada,
    eve,
    createShift: (...recipients: RecipientDraft[]) => started.create(recipients, draft),
    refuse: async (content: object) =>
      readProblem(
        await started.ask('/bff/alert-profiles', {
          body: { ...draft, filter: {}, timeZone: 'UTC', isShared: false, recipients: [ada], ...content },
        }),
      ),
    async due(): Promise<void> {
      await database.query('update alert_profile set digest_due = now()')
      await started.readNewer()
    },
    sent: (count: number) => expect.poll(() => mails.length).toBe(count),
    /** Its plain text in one line. */
    text: (at: number) =>
      (mails[at]?.source ?? '')
        .split('Content-Type: text/html')[0]
        ?.replaceAll(/=\r?\n/g, '')
        .replaceAll('=E2=80=9C', '“')
        .replaceAll('=E2=80=9D', '”')
        .replaceAll(/\s+/g, ' ') ?? '',
  }
}

test('users get what the page says since the digest before, once, by the ledger of all messages', async () => {
  const { ada, eve, ask, createShift, publish, due, sent, text, mails, listed } = await startShift()
  await publish(
    { id: 'okapi', title: 'Okapi Ltd was breached' },
    { id: 'tapir', title: 'Tapir Ltd for sale' },
  )
  const act = async (body: object) => expect((await ask('/bff/triage', { body })).status).toBe(200)
  await act({
    action: 'note',
    ids: ['okapi'],
    text: 'Call <b>https://evil.example</b>\nat once',
    mentions: [],
  })
  await act({ action: 'close', ids: ['tapir'], reason: 'handled', text: 'told the supplier' })
  const { profile } = await createShift(ada, eve)
  expect(profile).toMatchObject({ isShift: true, schedule: DAILY, window: { matches: 0 } })
  await due()
  await sent(2)
  expect(mails.map(({ to }) => to).toSorted()).toEqual([[ADMIN.email], ['eve@example.com']])
  for (const part of [
    '3 cases with new claims, 1 closed, 1 comment Daily digest of the profile “Handover”, from ',
    'No new claim matches a list. No case is overdue.',
    'Cases with new claims (3 cases)',
    'Okapi Ltd was breached',
    'Closed (1 case)',
    'Reason: Handled',
    'Comment: told the supplier',
    'Open by owner (2 cases in 1 group)',
    'Nobody: 2 cases http://localhost:4173/threats?triage=3Dopen&q=3Downer%3Anobody',
    'Comments (1 comment)',
    'Comment: Call <b>hxxps[:]//evil[.]example</b> at once',
    'Open in Lantern: http://localhost:4173/shift?since=3D',
    'List-Unsubscribe: <https://lantern.example/unsubscribe/',
  ])
    expect(text(0), part).toContain(part)

  const [line] = z
    .object({ deliveries: z.array(deliverySchema) })
    .parse(await (await ask('/bff/deliveries')).json()).deliveries
  expect(line).toMatchObject({ kind: 'digest', causes: [{ id: profile.id }], threatCount: 0 })
  expect(line?.subject).toMatch(/^Handover: 3 cases/)
  const bell = await (await ask('/bff/inbox')).json()
  expect(bell).toMatchObject({
    items: [
      { title: expect.stringMatching(/^Handover: 3 cases/), path: expect.stringMatching(/^\/shift\?since=/) },
    ],
  })
  const [stored] = await listed()
  expect(Date.parse(stored?.nextDigestAt ?? '')).toBeGreaterThan(Date.now())

  // The next one has nothing to say, and says so.
  await due()
  await sent(4)
  expect(text(3)).toContain('Nothing new, no case overdue Digest of the profile')
  expect(text(3)).toContain('There is no new claim. Nobody closed a case. Nobody wrote a comment.')
})

test('private lists are in a digest that their owner alone receives', async () => {
  const { ada, eve, ask, createShift, publish, due, sent, text, database } = await startShift()
  const entries = [{ name: 'Okapi Ltd', domains: [], note: null, key: null, weight: 'normal' }]
  for (const [name, isShared] of [
    ['Secret takeover', false],
    ['Suppliers', true],
  ] as const)
    expect((await ask('/bff/lists', { body: { name, kind: 'own', isShared, entries } })).status).toBe(201)
  await publish({ id: 'okapi', title: 'Okapi Ltd was breached' })
  await createShift(ada)
  await due()
  await sent(1)
  expect(text(0)).toMatch(
    /Secret takeover: 1 case .*Suppliers: 1 case|Suppliers: 1 case .*Secret takeover: 1 case/,
  )
  await database.query('delete from alert_profile')
  await createShift(ada, eve)
  await due()
  await sent(3)
  for (const at of [1, 2]) {
    expect(text(at)).toContain('Concerns us (1 list)')
    expect(text(at)).toContain('Suppliers: 1 case')
  }
  const { rows } = await database.query(
    `select content::text as content from delivery order by created_at desc limit 2`,
  )
  expect(JSON.stringify(rows)).not.toContain('Secret takeover')
})

test('it goes to users alone, daily or weekly', async () => {
  const { ada, eve, ask, createShift, refuse, receiver } = await startShift({ sending: 0 })
  const others = [
    { channel: 'email', address: 'mia@corp.example' },
    { channel: 'slack', url: `${receiver.origin}/slack` },
    { channel: 'teams', url: `${receiver.origin}/teams` },
    { channel: 'webhook', url: `${receiver.origin}/hook` },
  ]
  for (const other of others)
    expect(await refuse({ recipients: [ada, other] })).toMatchObject({
      status: 400,
      fields: [{ name: 'recipients.1', reason: expect.stringContaining('users of Lantern only') }],
    })
  for (const schedule of [undefined, { kind: 'atOnce', quiet: null }])
    expect(await refuse({ schedule })).toMatchObject({ status: 400, fields: [{ name: 'schedule' }] })
  const { profile } = await createShift(ada)
  const change = (body: object) => ask(`/bff/alert-profiles/${profile.id}`, { method: 'PUT', body })
  expect((await change({ recipients: others.slice(0, 1) })).status).toBe(400)
  expect((await change({ schedule: { kind: 'atOnce', quiet: null } })).status).toBe(400)
  const weekly = { kind: 'weekly', weekday: 1, hour: 6 }
  const changed = await change({ schedule: weekly, filter: { q: 'okapi' }, recipients: [ada, eve] })
  expect(await changed.json()).toMatchObject({
    profile: { isShift: true, schedule: weekly, filter: { q: 'id:none -id:none' }, recipients: [{}, {}] },
  })
})

test('a profile switches from matches to Shift and back without lost or repeated messages', async () => {
  const started = await startShift()
  const { ada, eve, ask, create, publish, due, sent, text, mails, listed, ledger, database } = started
  const { profile } = await create([ada], { name: 'Watch', schedule: DAILY })
  const change = async (body: object) => {
    const response = await ask(`/bff/alert-profiles/${profile.id}`, { method: 'PUT', body })
    return response.ok ? (await response.json()).profile : readProblem(response)
  }
  await publish({ id: 'okapi', title: 'Okapi Ltd was breached' })
  await due()
  await sent(1)
  await publish({ id: 'tapir', title: 'Tapir Ltd for sale' })
  expect(await change({ isShift: true })).toMatchObject({
    id: profile.id,
    isShift: true,
    schedule: DAILY,
    filter: { q: 'id:none -id:none' },
    window: { matches: 0 },
  })

  // What waited goes with the first digest of Shift, as matches.
  await due()
  await sent(3)
  const [matches, shift] = [text(1), text(2)].toSorted((one) => (one.includes('case with new') ? 1 : -1))
  expect(matches).toContain('Tapir Ltd for sale')
  expect(matches).not.toContain('Okapi Ltd')
  expect(shift).toContain('3 cases with new claims Daily digest of the profile “Watch”')

  await publish({ id: 'zebra', title: 'Zebra Ltd was breached' })
  expect(await change({ isShift: false })).toMatchObject({ status: 400, fields: [{ name: 'filter' }] })
  expect(
    await change({ isShift: false, filter: {}, schedule: { kind: 'atOnce', quiet: null } }),
  ).toMatchObject({
    isShift: false,
    nextDigestAt: null,
  })
  await publish({ id: 'gnu', title: 'Gnu Ltd was breached' })
  // Within a minute of the message before, it waits in the ledger.
  const events = async () =>
    (await database.query(`select event from delivery_match where event like 'threat:%' order by event`)).rows
  await expect
    .poll(events)
    .toEqual(['threat:gnu', 'threat:okapi', 'threat:tapir'].map((event) => ({ event })))

  // Shift goes on where its last digest ended.
  expect(await change({ isShift: true })).toMatchObject({ status: 400, fields: [{ name: 'schedule' }] })
  expect(await change({ isShift: true, schedule: DAILY, recipients: [ada, eve] })).toMatchObject({
    isShift: true,
  })
  await due()
  await sent(5)
  for (const at of [3, 4]) expect(text(at)).toContain('2 cases with new claims Digest of the profile')
  expect(mails.map(({ to }) => to[0]).filter((to) => to !== ADMIN.email)).toEqual(['eve@example.com'])
  const { deliveries } = await ledger()
  expect(deliveries.map(({ kind }) => kind).toSorted()).toEqual([
    'digest',
    'digest',
    'digest',
    'digest',
    'matches',
    'matches',
  ])
  expect((await listed())[0]).toMatchObject({ id: profile.id, isShift: true })
  expect((await database.query(`select from alert_match where state = 'waiting'`)).rowCount).toBe(0)
})

test('a comment is in one digest of Shift only, also if the profile sent matches in between', async () => {
  const { ada, ask, createShift, publish, due, readNewer, sent, text, database } = await startShift()
  await publish({ id: 'okapi', title: 'Okapi Ltd was breached' })
  const { profile } = await createShift(ada)
  const note = { action: 'note', ids: ['okapi'], text: 'Call them', mentions: [] }
  expect((await ask('/bff/triage', { body: note })).status).toBe(200)
  // The digest is late: it was due before the comment.
  await database.query(`update alert_profile set digest_due = now() - interval '1 minute'`)
  await readNewer()
  await sent(1)
  expect(text(0)).toContain('1 comment')

  for (const body of [
    { isShift: false, filter: {}, schedule: { kind: 'atOnce', quiet: null } },
    { isShift: true, schedule: DAILY },
  ])
    expect((await ask(`/bff/alert-profiles/${profile.id}`, { method: 'PUT', body })).status).toBe(200)
  await due()
  await sent(2)
  expect(text(1)).toContain('Nobody wrote a comment.')
})

test('a profile of others than users cannot send Shift until they are removed', async () => {
  const { ada, ask, create, receiver, listed } = await startShift({ sending: 0 })
  const { profile } = await create([ada, { channel: 'webhook', url: `${receiver.origin}/hook` }])
  const change = (body: object) =>
    ask(`/bff/alert-profiles/${profile.id}`, {
      method: 'PUT',
      body: { isShift: true, schedule: DAILY, ...body },
    })
  expect(await readProblem(await change({}))).toMatchObject({
    status: 400,
    fields: [{ name: 'recipients.1', reason: expect.stringContaining('users of Lantern only') }],
  })
  expect((await listed())[0]).toMatchObject({ isShift: false })
  const [user] = profile.recipients
  expect((await change({ recipients: [{ channel: 'kept', id: user?.id }] })).status).toBe(200)
  expect((await listed())[0]).toMatchObject({ isShift: true, recipients: [{ channel: 'user' }] })
})

test('an older Lantern reads a Shift profile as one without matches, and its digest as a notice', async () => {
  const { ada, createShift, database, publish, listed, readNewer, ledger } = await startShift({ sending: 0 })
  await createShift(ada)
  await publish({ id: 'new' }, { id: 'none' })
  expect((await ledger()).deliveries).toEqual([])
  const { rows } = await database.query('select schedule, filter from alert_profile')
  expect(rows).toEqual([{ schedule: { kind: 'atOnce', quiet: null }, filter: expect.any(String) }])

  // It pauses and resumes it, and writes no due time.
  for (const state of ['paused', 'active'])
    await database.query('update alert_profile set state = $1, digest_due = null, digest_since = null', [
      state,
    ])
  await readNewer()
  await expect.poll(async () => (await listed())[0]?.nextDigestAt).toEqual(expect.any(String))

  // A search that is saved there matches nothing here, and a weekly digest has its week.
  await database.query(
    `update alert_profile set filter = '{}', shift_schedule = '{"kind": "weekly", "weekday": 1, "hour": 8}',
            created_at = now() - interval '8 days'`,
  )
  await publish({ id: 'searched' })
  expect((await database.query(`select from alert_match where state = 'waiting'`)).rowCount).toBe(0)

  // Somebody adds an address there.
  await database.query(
    `insert into alert_recipient (profile_id, position, channel, fingerprint, sealed, masked)
     select id, 9, 'email', sha256('x'), '', 'm…@corp.example' from alert_profile`,
  )
  await database.query('update alert_profile set digest_due = now()')
  await readNewer()
  const digests = async () =>
    (await database.query(`select content from delivery where kind = 'digest'`)).rows
  await expect.poll(digests).toHaveLength(1)
  const { report, ...notice } = Object((await digests())[0]).content
  expect(report).toMatchObject({ sum: '4 cases with new claims' })
  expect(Date.parse(report.since)).toBeLessThan(Date.now() - 6 * DAY_MS)
  expect(contentSchema.parse(notice)).toMatchObject({
    kind: 'notice',
    subject: 'Handover: 4 cases with new claims',
    text: expect.stringContaining('Cases with new claims (4 cases)'),
  })
})

test('a digest says why claims may be missing, and not that there are none', async () => {
  const { ada, createShift, database, mail, sent, text } = await startShift({ sending: 0 })
  await createShift(ada)
  // Nothing was read of the vendor's list.
  await database.query('delete from window_reach')
  const staleReason = 'The vendor cannot be reached or failed.'
  const { compose, work } = createDigestProcess({
    database,
    mail,
    readNow: async () => new Date(Date.now() + 2 * DAY_MS),
    readShift: async ({ since }) => ({
      ...QUIET,
      since,
      added: { ...NO_CASES, filter: { since, until: since } },
      freshness: { fetchedAt: since, isStale: true, staleReason },
    }),
  })()
  await compose()
  await work()
  await sent(1)
  for (const part of [
    'Nothing new was read, no case overdue',
    'Lantern has read no new claim. Nobody closed a case.',
    'The vendor cannot be reached or failed. Claims published from',
  ])
    expect(text(0), part).toContain(part)
})

test('each user gets the digest once if one of two processes is killed before it writes it', async () => {
  const { ada, eve, createShift, database, mail, mails } = await startShift({ sending: 0 })
  await createShift(ada, eve)
  // Noon: the next digest is not due within the hours of this test.
  let nowMs = Math.ceil(Date.now() / DAY_MS) * DAY_MS + 2 * DAY_MS + 12 * HOUR_MS
  const start = createDigestProcess({
    database,
    mail,
    readNow: async () => new Date(nowMs),
    readShift: async ({ since }) => ({ ...QUIET, since }),
  })
  const killed = Promise.withResolvers<void>()
  const dying = start(killedAt(database, 'with made as', killed.resolve))
  const other = start()
  const never = dying.compose().then(() => dying.sender.pass())
  await Promise.race([killed.promise, never])
  await killed.promise
  for (const ms of [0, 60_001, 1_000, HOUR_MS]) {
    nowMs += ms
    await other.compose()
    await other.work()
  }
  expect(mails.map(({ to }) => to[0]).toSorted()).toEqual([ADMIN.email, 'eve@example.com'])
})
