import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import type { NotifySettings } from '#bff/notify/create-channels.ts'
import { systemClock } from '#bff/time/clock.ts'
import { alertHealthSchema } from '#contract/bff/alert-health.ts'
import type { RecipientDraft } from '#contract/bff/recipient.ts'
import { MINUTE_MS } from '#contract/duration.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createRealSender } from '#test/support/delivery/create-real-sender.ts'
import { aMatch, enqueueTo } from '#test/support/delivery/deliveries.ts'
import { startMailServer } from '#test/support/delivery/stand-in-mail-server.ts'
import { startProfiles } from '#test/support/profiles/start-profiles.ts'
import { startReceiver } from '#test/support/stand-in-receiver.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { raiseNotices } from './raise-notices.ts'

const SECRET = 'secret-of-the-tests'
/** A look is due after it. */
const LOOK_MS = 15_000
const ADDRESS = 'ada@corp.example'

type Mail = Exclude<NotifySettings['mail'], undefined>
const NOBODY: Mail = {
  server: { host: '127.0.0.1', port: 9, tls: 'none', credentials: null },
  from: { name: 'Lantern', address: 'lantern@corp.example' },
}
const noticesSchema = z.array(z.object({ name: z.string(), title: z.string(), detail: z.string() }))

type SetUp = {
  mail?: Mail
  /** The profile's messages go here; by mail without it. */
  url?: string
  resolves?: boolean
  isWritable?: boolean
  isWorking?: boolean
}

/** A profile of Bob, whose messages go by real channels, in a time that passes as the test says. */
async function startSetUp({ mail, url, resolves = true, isWritable = true, isWorking = true }: SetUp) {
  const database = await takeDatabase('bff')
  const { ask, create, rooms, evaluated } = await startProfiles(database, { sending: 0, mail })
  const recipient: RecipientDraft = url ? { channel: 'webhook', url } : { channel: 'email', address: ADDRESS }
  const { profile } = await create([recipient], { name: 'Clinics' })
  await evaluated()
  await database.query(`insert into account (email, name, role) values ('bob@example.com', 'Bob', 'analyst')`)
  await database.query(`update alert_profile set account_id = (select id from account where name = 'Bob')`)
  const now = { passedMs: 0, isWritable, looks: 0 }
  const readNow = async () => new Date(Date.now() + now.passedMs)
  const access = { secret: SECRET, readNow }
  const sender = createRealSender({ ledger: database, database, mail, secret: SECRET, readNow, resolves })
  const closing = new AbortController()
  const state = { upstream: await rooms.upstream.state(), store: await rooms.store.state() }
  const telling = raiseNotices(
    {
      secret: SECRET,
      origin: 'http://localhost:4173',
      hasEmail: mail !== undefined,
      domains: [],
      database,
      mail,
      lookMs: 5,
      upstream: { ...rooms.upstream, state: async () => state.upstream },
      store: { ...rooms.store, state: async () => ({ ...state.store, trouble: null }) },
      clock: { elapsedMs: () => now.passedMs, nowMs: () => Date.now() + now.passedMs },
      problems: {
        openedSeals: new Set(),
        access,
        searchContext: { clock: systemClock, profiles: async () => [] },
      },
      async isWritable() {
        now.looks++
        return now.isWritable
      },
      log: { info() {}, warn() {}, error() {} },
    },
    closing.signal,
  )
  onTestFinished(async () => {
    closing.abort()
    await telling
    await sender.drain()
  })
  return {
    ask,
    database,
    match: (id: string) => {
      const cause = { id: profile.id, name: profile.name, isTeam: false }
      const to = recipient.channel === 'webhook' ? recipient.url : ADDRESS
      return enqueueTo(
        database,
        [aMatch(id, { cause, destinations: [{ channel: recipient.channel, destination: to }] })],
        access,
      )
    },
    /** The worker sends what is due, and a look begins after it: the look before has ended by then. */
    async pass(minutes: number): Promise<void> {
      now.passedMs += minutes * MINUTE_MS - LOOK_MS
      if (isWorking && now.isWritable) {
        await sender.pass()
        await sender.finish()
      }
      const before = now.looks
      now.passedMs += LOOK_MS
      await expect.poll(() => now.looks, { interval: 5, timeout: 20_000 }).toBeGreaterThan(before)
    },
    async notices() {
      const { rows } = await database.query(
        `select name, title, coalesce(detail, '') as detail from inbox_item join account on account.id = account_id
          where kind = 'notice' order by inbox_item.id`,
      )
      return noticesSchema.parse(rows)
    },
  }
}

const run = (sql: string) => (database: OpenDatabase) => database.query(sql)
const HOOK = 'https://vendor.test:9/hook'
const BOTH = ['Ada', 'Bob']

/** A transaction that never ends has the cursor of the evaluation, and a change waits for longer than ten minutes. */
async function hangEvaluation(database: OpenDatabase): Promise<void> {
  const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await database.query(`update change_reader set moved_at = now() - interval '11 minutes'`)
  const holding = database.transaction(async (tx) => {
    await tx.query('select from change_reader for update')
    held.resolve()
    await over.promise
  })
  onTestFinished(async () => {
    over.resolve()
    await holding
  })
  await held.promise
  await database.query(
    `with added as (update threat_change_counter set last = last + 1 returning last)
     insert into threat_change (number, threat_id, kind, fields, edge, at)
     select last, 'any', 'new', '{}', 'live', now() - interval '11 minutes' from added`,
  )
}

/** What waits of the profile is no threat that a message can show. */
async function spoilWaiting(database: OpenDatabase): Promise<void> {
  await database.query(
    `insert into alert_match (profile_id, threat_id, is_critical, state, threat)
     select id::text, 'spoilt', false, 'waiting', '{}' from alert_profile`,
  )
  const isRecorded = async () => (await database.query('select from alert_fault')).rowCount
  await expect.poll(isRecorded, { timeout: 20_000 }).toBe(1)
}

type Case = {
  name: string
  setUp(): Promise<SetUp>
  /** Breaks the set-up once it runs. */
  change?(database: OpenDatabase): Promise<unknown>
  title: RegExp
  detail: RegExp
  to: string[]
}

const answering = async (status: number, headers = {}) => {
  const receiver = await startReceiver((response) => response.writeHead(status, headers).end())
  return { url: `${receiver.origin}/hook` }
}

const CASES: Case[] = [
  {
    name: 'a wrong SMTP password',
    async setUp() {
      const server = await startMailServer('right')
      server.state.password = 'another'
      return { mail: server.mail }
    },
    title: /cannot send email/,
    detail: /refuses the login.+Correct SMTP_URL/,
    to: ['Ada'],
  },
  {
    name: 'a mail server that refuses the connection',
    setUp: async () => ({ mail: NOBODY }),
    title: /cannot send email/,
    detail: /connection refused/i,
    to: ['Ada'],
  },
  {
    name: 'an address that the mail server does not know',
    async setUp() {
      const server = await startMailServer()
      server.state.unknown = ADDRESS
      return { mail: server.mail }
    },
    title: /@corp\.example: failed$/,
    detail: /550.+\(Clinics\).+Check the email address/,
    to: BOTH,
  },
  {
    name: 'a mail server without TLS',
    async setUp() {
      const { mail } = await startMailServer()
      return { mail: { ...mail, server: { ...mail.server, tls: 'required' } } }
    },
    title: /cannot send email/,
    detail: /TLS/,
    to: ['Ada'],
  },
  {
    name: 'an unknown host',
    setUp: async () => ({ url: HOOK, resolves: false }),
    title: /vendor\.test: not delivered/,
    detail: /Host name not found.+Check the spelling/,
    to: BOTH,
  },
  {
    name: 'a webhook that answers 410',
    setUp: () => answering(410),
    title: /has ended$/,
    detail: /410.+\(Clinics\)/,
    to: BOTH,
  },
  {
    name: 'a webhook that answers 429 for an hour',
    setUp: () => answering(429, { 'retry-after': '3600' }),
    title: /vendor\.test: not delivered/,
    detail: /429.+tries again on \d+ \w+ 20/,
    to: BOTH,
  },
  {
    name: 'a lost SECRET',
    setUp: async () => ({ url: HOOK }),
    change: run(`update alert_recipient set sealed = sealed || '\\x00'`),
    title: /Recipients cannot be read/,
    detail: /\(Clinics\).+SECRET_BEFORE/,
    to: BOTH,
  },
  {
    name: 'an owner who was disabled',
    setUp: async () => ({ url: HOOK }),
    change: run(`update account set disabled_at = now() where name = 'Bob'`),
    title: /“Clinics” is now the admins’/,
    detail: /Its owner has no access/,
    to: ['Ada'],
  },
  {
    name: 'a search that lost its meaning',
    setUp: async () => ({ url: HOOK }),
    change: run(`update alert_profile set filter = '{"q":"profile:\\"gone\\""}'`),
    title: /“Clinics” is not evaluated/,
    detail: /gone.+Edit its search/,
    to: BOTH,
  },
  {
    name: 'waiting matches that cannot be written',
    setUp: async () => ({ url: HOOK }),
    change: spoilWaiting,
    title: /“Clinics” cannot send its messages/,
    detail: /failed to write.+Lantern tries again/,
    to: BOTH,
  },
  {
    name: 'an evaluation that hangs',
    setUp: async () => ({ url: HOOK }),
    change: hangEvaluation,
    title: /^Alerts are not evaluated/,
    detail: /since .+ UTC.+Restart Lantern/,
    to: ['Ada'],
  },
  {
    name: 'a worker that has stopped',
    setUp: async () => ({ url: HOOK, isWorking: false }),
    title: /Lantern sends no messages/,
    detail: /Restart Lantern/,
    to: ['Ada'],
  },
]

test.each(CASES)('$name is reported within five minutes', async ({ setUp, change, ...expected }) => {
  const { ask, database, match, pass, notices } = await startSetUp(await setUp())
  await match('t1')
  await change?.(database)
  for (const minutes of [0.5, 1, 1, 1, 1, 0.5]) await pass(minutes)
  const reported = (await notices()).filter(
    ({ title, detail }) => expected.title.test(title) && expected.detail.test(detail),
  )
  expect(await notices()).not.toEqual([])
  const { rows } = await database.query(`select name from account where role = 'admin'`)
  const admin = z.array(z.object({ name: z.string() })).parse(rows)[0]?.name
  const names = reported.map(({ name }) => (name === admin ? 'Ada' : name))
  expect(names.sort()).toEqual(expect.arrayContaining(expected.to))
  expect(new Set(names).size).toBe(names.length)
  // The page goes by the database's clock, on which three minutes have not passed; a profile of the admins works.
  if (expected.title.source.match(/sends no messages|now the admins/)) return
  const health = alertHealthSchema.parse(await (await ask('/bff/alerts/health')).json())
  const broken = health.destinations.filter(({ health: { state } }) => !/proven/.test(state))
  expect(health.problems.length + broken.length).toBeGreaterThan(0)
})

test('notifies admins by email, once, of a profile whose owner was disabled', async () => {
  const server = await startMailServer()
  const { database, pass } = await startSetUp({ mail: server.mail })
  await database.query(`update account set disabled_at = now() where name = 'Bob'`)
  for (let minute = 0; minute < 3; minute++) await pass(1)
  const sent = server.mails.map(({ to, source }) => [to, /Clinics/.test(source)])
  expect(sent).toEqual([[['ada@example.com'], true]])
})

test('a full disk is reported by mail at once', async () => {
  const server = await startMailServer()
  const { pass } = await startSetUp({ mail: server.mail, isWritable: false })
  await pass(1)
  await expect.poll(() => server.mails.length).toBe(1)
  expect(server.mails[0]?.source).toMatch(/takes no writes/)
})

test('a healthy system reports nothing in 24 hours', async () => {
  const server = await startMailServer()
  const { ask, match, pass, notices } = await startSetUp({ mail: server.mail })
  for (let hour = 0; hour < 24; hour++) {
    await match(`t${hour}`)
    await pass(1)
    await pass(59)
  }
  expect(server.mails).toHaveLength(24)
  expect(await notices()).toEqual([])
  const health = alertHealthSchema.parse(await (await ask('/bff/alerts/health')).json())
  expect(health).toMatchObject({ problems: [], destinations: [{ health: { state: 'proven' } }] })
})
