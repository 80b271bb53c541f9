import { expect, test } from 'vitest'
import { systemClock } from '#bff/time/clock.ts'
import { alertHealthSchema } from '#contract/bff/alert-health.ts'
import type { LanternProfileChange } from '#contract/bff/alert-profile.ts'
import { inboxSchema } from '#contract/bff/inbox.ts'
import { recipientUsersSchema } from '#contract/bff/recipient.ts'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import { startProfiles } from '#test/support/profiles/start-profiles.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { sendProofs } from './prove-profile.ts'

const SECRET = 'secret-of-the-tests'

async function startProving(options: Parameters<typeof startProfiles>[1]) {
  const database = await takeDatabase('bff')
  const started = await startProfiles(database, options)
  const { ask, create, listed, publish, rooms } = started
  await publish({ id: 'one', title: 'Okapi Ltd was breached' })
  const { profile } = await create(undefined, { timeZone: 'Europe/Berlin' })
  const change = async (body: LanternProfileChange) =>
    expect((await ask(`/bff/alert-profiles/${profile.id}`, { method: 'PUT', body })).status).toBe(200)
  await change({ isProvedWeekly: true })
  return {
    ...started,
    database,
    change,
    next: async () => (await listed())[0]?.nextProofAt ?? null,
    proveAt: (at: number, db = database) =>
      sendProofs(db, {
        log: { info() {}, warn() {}, error() {} },
        store: rooms.store,
        searchContext: { clock: systemClock },
        clock: systemClock,
        secret: SECRET,
        hasEmail: false,
        origin: 'https://l.example',
        access: { secret: SECRET, readNow: async () => new Date(at) },
      }),
    sent: async () => (await database.query(`select from delivery where kind = 'test'`)).rowCount,
  }
}

test('a weekly test goes through matcher, queue and channel, and proves the destination', async () => {
  const { ask, database, next, listed, receiver, change } = await startProving({ sending: 2 })
  for (const isShared of [true, false]) {
    const entries = [{ name: 'Okapi Ltd', domains: [], note: null, key: null, weight: 'normal' }]
    const list = { name: isShared ? 'Shared' : 'Private', kind: 'supplier', isShared, entries }
    expect((await ask('/bff/lists', { body: list })).status).toBe(201)
  }
  await expect
    .poll(async () => (await database.query('select from list_entry where is_matched')).rowCount)
    .toBe(2)
  const monday = new Date((await next()) ?? '')
  const shown = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Berlin',
    weekday: 'long',
    hour: '2-digit',
  })
  expect(shown.format(monday)).toBe('Monday, 08')
  await database.query('update alert_profile set proof_due = now()')
  await expect.poll(() => receiver.received.length).toBe(1)
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    type: 'alert.test',
    data: {
      proof: 'Okapi Ltd was breached',
      requestedBy: null,
      concerns: [{ list: 'Shared', entry: 'Okapi Ltd' }],
    },
  })
  const states = async () =>
    (await listed()).map(({ recipients: [recipient], nextProofAt }) => [
      recipient?.health?.state,
      nextProofAt,
    ])
  await expect.poll(states).toEqual([['proven', monday.toISOString()]])
  await change({ isProvedWeekly: false })
  expect(await next()).toBeNull()
  expect(receiver.received).toHaveLength(1)
})

test('a weekly test that is refused is a problem like any other message', async () => {
  const { database, ask } = await startProving({ sending: 1, statuses: [404] })
  await database.query('update alert_profile set proof_due = now()')
  const problems = async () =>
    alertHealthSchema.parse(await (await ask('/bff/alerts/health')).json()).problems
  await expect.poll(problems).toMatchObject([{ kind: 'failed' }])
})

test('two processes send a weekly test once, also after a rollback, unless the profile is paused', async () => {
  const { database, next, proveAt, sent, change } = await startProving({ sending: 0 })
  const due = async () => Date.parse((await next()) ?? '')
  const first = await due()
  await proveAt(first - 1)
  expect(await sent()).toBe(0)
  const broken = {
    query: database.query.bind(database),
    transaction: (run: Parameters<typeof database.transaction>[0]) =>
      database.transaction(async (tx) => {
        await run(tx)
        throw new Error('killed before the commit')
      }),
  }
  await proveAt(first, Object.assign(Object.create(database), broken))
  expect(await sent()).toBe(0)
  await Promise.all([proveAt(first + 2_000), proveAt(first + 2_000)])
  expect(await sent()).toBe(1)
  expect(Math.abs((await due()) - first - 7 * DAY_MS)).toBeLessThanOrEqual(HOUR_MS)
  // After an outage of three weeks.
  await proveAt(first + 22 * DAY_MS)
  await proveAt(first + 22 * DAY_MS)
  expect(await sent()).toBe(2)
  await change({ state: 'paused' })
  await proveAt((await due()) + HOUR_MS)
  expect(await sent()).toBe(2)
})

test('without a mail server, a test of a profile that notifies users is in their Notifications', async () => {
  const database = await takeDatabase('bff')
  const { ask, create, publish } = await startProfiles(database, { sending: 0 })
  await publish({ id: 'one', title: 'Okapi Ltd was breached' })
  const { users } = recipientUsersSchema.parse(await (await ask('/bff/alert-profiles/users')).json())
  const { profile } = await create([{ channel: 'user', userId: users[0]?.id ?? '' }], { name: 'Okapi' })
  const tests = async () => {
    const { items } = inboxSchema.parse(await (await ask('/bff/inbox')).json())
    return items.map(({ title, detail, path }) => ({ title, detail, path }))
  }
  const test = { title: 'Test of Okapi', detail: 'Okapi Ltd was breached', path: '/threats/one' }
  expect((await ask(`/bff/alert-profiles/${profile.id}/prove`, { method: 'POST' })).status).toBe(202)
  expect(await tests()).toEqual([test])
  await database.query('update alert_profile set proof_due = now()')
  await expect.poll(tests, { timeout: 10_000 }).toEqual([test, test])
})
