import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#bff/time/clock.ts'
import { inboxSchema } from '#contract/bff/inbox.ts'
import { ADMIN } from '#test/support/ask-bff.ts'
import { startMailServer } from '#test/support/delivery/stand-in-mail-server.ts'
import { startProfiles } from '#test/support/profiles/start-profiles.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { type RaiseNoticesOptions, raiseNotices } from './raise-notices.ts'

test('notifies users once, also by email, of a new password and a new device', async () => {
  const { mail } = await startMailServer()
  const database = await takeDatabase('bff')
  const { ask, createBrowser, ledger, signIn } = await startProfiles(database, { sending: 0, mail })
  // What is recorded before the first pass is not reported.
  await expect.poll(async () => (await database.query('select from notice_mark')).rowCount).toBe(1)
  const titles = async () =>
    inboxSchema.parse(await (await ask('/bff/inbox')).json()).items.map(({ title }) => title)
  expect(await titles()).toEqual([])
  await signIn()
  await createBrowser('192.0.2.7').signIn()
  const password = { current: ADMIN.password, password: 'another five words of hers' }
  expect((await ask('/bff/profile/password', { method: 'PUT', body: password })).status).toBe(204)
  await expect
    .poll(titles)
    .toEqual(['Your password was changed', 'Your account was signed in to from a new device'])
  const { deliveries } = await ledger()
  expect(deliveries.map(({ kind, channel, destination }) => [kind, channel, destination])).toEqual([
    ['notice', 'email', 'a…@example.com'],
    ['notice', 'email', 'a…@example.com'],
  ])
})

/** Raises notices as the leading process does, at a time and in a state that the test sets. */
async function startNotices({ mail }: Pick<RaiseNoticesOptions, 'mail'> = { mail: undefined }) {
  const database = await takeDatabase('bff')
  const { ask, rooms } = await startProfiles(database, { sending: 0 })
  const [upstream, store] = [await rooms.upstream.state(), await rooms.store.state()]
  const now = { elapsedMs: 0, key: upstream.key, trouble: store.trouble, isWritable: true }
  const closing = new AbortController()
  let looks = 0
  const telling = raiseNotices(
    {
      secret: 'secret-of-the-tests',
      origin: 'http://localhost:4173',
      hasEmail: mail !== undefined,
      domains: [],
      database,
      mail,
      lookMs: 20,
      upstream: { ...rooms.upstream, state: async () => ({ ...upstream, key: now.key }) },
      store: { ...rooms.store, state: async () => ({ ...store, trouble: now.trouble }) },
      clock: { elapsedMs: () => now.elapsedMs, nowMs: () => Date.parse('2026-11-22T12:00:00Z') },
      problems: {
        openedSeals: new Set(),
        access: { secret: 'secret-of-the-tests' },
        searchContext: { clock: systemClock },
      },
      async isWritable() {
        looks++
        return now.isWritable
      },
      log: { info() {}, warn() {}, error() {} },
    },
    closing.signal,
  )
  onTestFinished(async () => {
    closing.abort()
    await telling
  })
  /** Two looks at the least see it so and are over: the third begins after them. */
  async function turn(change: Partial<typeof now>, minutes = 1): Promise<void> {
    Object.assign(now, change)
    for (let at = 0; at < 3; at++) {
      now.elapsedMs += (minutes * 60_000) / 3
      const before = looks
      await expect.poll(() => looks, { interval: 10 }).toBeGreaterThan(before)
    }
  }
  return {
    ask,
    database,
    turn,
    titles: async () =>
      inboxSchema
        .parse(await (await ask('/bff/inbox')).json())
        .items.filter(({ kind }) => kind === 'notice')
        .map(({ title }) => title),
  }
}

test('notifies admins once of a refused key, and once when it is accepted again', async () => {
  const { turn, titles } = await startNotices()
  await turn({ key: 'invalid' })
  await turn({ key: 'invalid' })
  expect(await titles()).toEqual(['The vendor refuses Lantern’s key'])
  await turn({ key: 'valid' })
  await turn({ key: 'valid' })
  expect(await titles()).toEqual([
    'The vendor accepts Lantern’s key again',
    'The vendor refuses Lantern’s key',
  ])
})

test('notifies admins once of data 15 minutes old, and once when it is up to date', async () => {
  const { turn, titles } = await startNotices()
  await turn({ trouble: 'unreachable' }, 14)
  expect(await titles()).toEqual([])
  await turn({}, 20)
  await turn({}, 20)
  expect(await titles()).toEqual(['Lantern shows old data'])
  await turn({ trouble: null })
  await turn({ trouble: null })
  expect(await titles()).toEqual(['Lantern is up to date again', 'Lantern shows old data'])
})

test('notifies admins at the start of a refused mail login, and again when it works', async () => {
  const { mail, state, mails } = await startMailServer('right')
  state.password = 'another'
  const { turn, titles, database } = await startNotices({ mail })
  await turn({})
  expect(await titles()).toEqual(['Lantern cannot send email'])
  const { rows } = await database.query(`select detail from inbox_item where title like 'Lantern cannot%'`)
  expect(rows).toMatchObject([{ detail: expect.stringContaining('refuses the login: “535') }])
  state.password = 'right'
  await turn({}, 4)
  expect(await titles()).toEqual(['Lantern cannot send email'])
  await turn({}, 2)
  expect(await titles()).toEqual(['Solved: Lantern cannot send email', 'Lantern cannot send email'])
  expect(mails).toEqual([])
})

test('emails admins once about a read-only database, and notifies them when it is writable', async () => {
  const mailServer = await startMailServer()
  const { turn, titles, database } = await startNotices({ mail: mailServer.mail })
  await turn({ isWritable: false })
  await turn({ isWritable: false })
  await expect.poll(() => mailServer.mails.length).toBe(1)
  expect(mailServer.mails[0]).toMatchObject({
    to: [ADMIN.email],
    source: expect.stringMatching(/takes no writes/),
  })
  expect(await titles()).toEqual([])
  expect((await database.query('select from delivery')).rowCount).toBe(0)
  await turn({ isWritable: true })
  await turn({ isWritable: true })
  expect(await titles()).toEqual(['The database takes writes again'])
  expect((await database.query(`select from delivery where kind = 'notice'`)).rowCount).toBe(1)
  expect(mailServer.mails).toHaveLength(1)
})
