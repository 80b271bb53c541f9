import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import {
  ACCEPTED,
  aMatch,
  createLedger,
  enqueueTo,
  PROFILE,
  refused,
  scriptChannel,
  sendTest,
} from '#test/support/delivery/deliveries.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { keepDestinations, readHealth } from './destination-queries.ts'
import {
  countDeliveries,
  listDeliveries,
  listNotifiedThreats,
  readDelivery,
  summarizeCause,
} from './ledger.ts'
import type { ReadNow } from './ledger-access.ts'
import { endNotice, raiseNotice } from './notices.ts'
import { deleteOldDeliveries, deleteUnused } from './prune-deliveries.ts'

const LINK = 'https://lantern.example/'

test(
  'lists deliveries newest first, filtered and page by page',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass, readNow } = createLedger(database)
    const slack = scriptChannel([refused({ isPermanent: true, code: '404', excerpt: 'x'.repeat(500) })])
    const email = scriptChannel()
    const worker = createWorker({ slack, email })
    const other = { id: 'w1', name: 'Ours', isTeam: false } as const
    const destinations = [
      { channel: 'slack', destination: 'https://hooks.example/a' },
      { channel: 'email', destination: 'ada@example.com' },
    ]
    await enqueueTo(database, [aMatch('t1', { destinations })], access)
    await worker.work()
    pass(DAY_MS)
    await enqueueTo(database, [aMatch('t2', { cause: other })], access)
    expect(await countDeliveries(database)).toMatchObject({ queued: 1, sent: 1, failed: 1 })
    await worker.work()

    const seen: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await listDeliveries(database, { limit: 1, cursor })
      seen.push(...page.items.map(({ id }) => id))
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    const list = async (filter: object) =>
      (await listDeliveries(database, { limit: 9, ...filter })).items.map(({ id }) => id)
    expect(seen).toEqual(await list({}))
    expect(new Set(seen).size).toBe(3)
    expect(await list({ cursor: 'not ours' })).toEqual(seen)
    const failuresFirst: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await listDeliveries(database, { limit: 1, failuresFirst: true, cursor })
      failuresFirst.push(...page.items.map(({ state }) => state))
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    expect(failuresFirst).toEqual(['failed', 'sent', 'sent'])
    const [newest = '', ...others] = seen
    expect(await list({ causeId: other.id })).toEqual([newest])
    expect(await list({ threatId: 't1' })).toEqual(others)
    expect(await list({ causeId: PROFILE.id, channel: 'email', states: ['sent'] })).toHaveLength(1)
    expect(await listNotifiedThreats(database, newest)).toEqual([
      { id: 't2', title: 'Threat t2', victim: null, actor: null, causeIds: ['w1'] },
    ])

    const [failed = ''] = await list({ states: ['failed'] })
    expect(await readDelivery(database, failed)).toMatchObject({
      channel: 'slack',
      causes: [{ id: PROFILE.id, name: PROFILE.name }],
      history: [{ number: 1, outcome: 'refused', code: '404', excerpt: 'x'.repeat(200) }],
    })
    expect(await summarizeCause(database, PROFILE.id, readNow)).toEqual({
      lastSentAt: '2026-11-22T12:00:00.000Z',
      failures: 1,
    })
    pass(7 * DAY_MS)
    expect(await summarizeCause(database, PROFILE.id, readNow)).toMatchObject({ failures: 0 })
  }),
)

test(
  'sends a notice once, and once more when it ends; a test is tried once',
  withDatabase('service', async (database) => {
    const { access, createWorker } = createLedger(database)
    const email = scriptChannel()
    const worker = createWorker({ email })
    const people = (subject: string, ids: number[]) =>
      ids.map((id) => ({
        accountId: `00000000-0000-4000-8000-00000000000${id}`,
        to: { channel: 'email', destination: `a${id}@example.com` },
        subject,
        text: '',
        link: LINK,
      }))
    const raise = (key: string, subject: string, ids = [1, 2]) => {
      const content = { subject: `${subject} no more`, text: '', link: LINK, why: null }
      const notice = { key, people: people(subject, ids), content }
      return database.transaction(async (tx) => (await raiseNotice(tx, notice, access)).length)
    }
    const end = (key: string) =>
      database.transaction(async (tx) => (await endNotice(tx, key, access))?.notified.length ?? 0)
    const subjects = () => email.sent.map(({ message }) => (message.kind === 'notice' ? message.subject : ''))

    expect(await Promise.all([raise('key', 'dead'), raise('key', 'dead')])).toEqual(
      expect.arrayContaining([2, 0]),
    )
    await worker.work()
    expect(subjects()).toEqual(['dead', 'dead'])
    // Somebody whom it concerns since.
    expect(await raise('key', 'dead', [1, 2, 3])).toBe(1)
    await worker.work()
    expect([await end('key'), await end('key')]).toEqual([3, 0])
    await worker.work()
    expect(subjects().slice(2)).toEqual(['dead', 'dead no more', 'dead no more', 'dead no more'])
    // It is over before anybody was notified.
    await raise('key', 'dead again')
    await end('key')
    await worker.work()
    expect(subjects()).toHaveLength(6)
    expect(await countDeliveries(database)).toMatchObject({ sent: 6, notSent: 2 })

    const broken = scriptChannel([refused()])
    const request = {
      causes: [{ name: 'Acme' }],
      requestedBy: 'ada@example.com',
      link: LINK,
    }
    const id = await sendTest(database, { to: { channel: 'slack', destination: 'x' }, ...request }, access)
    await createWorker({ slack: broken }).work()
    expect(broken.sent).toMatchObject([{ message: { kind: 'test', ...request } }])
    expect(await readDelivery(database, id)).toMatchObject({ state: 'failed', code: '503' })
  }),
)

test(
  'forgets what ended long ago, with its destination, and nothing that waits',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass, readNow } = createLedger(database)
    const slack = scriptChannel()
    await enqueueTo(database, [aMatch('t1')], access)
    await createWorker({ slack }).work()
    const elsewhere = [{ channel: 'email', destination: 'ada@example.com' }]
    await enqueueTo(database, [aMatch('t2', { destinations: elsewhere })], access)
    await createWorker({}).work()
    expect(await deleteOlder(database, readNow)).toBe(0)
    pass(31 * DAY_MS)
    expect(await deleteOlder(database, readNow)).toBe(1)
    const count = async (table: string) => (await database.query(`select from ${table}`)).rowCount
    expect(await count('delivery_destination')).toBe(1)
    expect(await count('delivery_attempt')).toBe(0)
    expect(await countDeliveries(database)).toMatchObject({ queued: 1, sent: 0 })
  }),
)

test(
  'keeps what is known of a recipient, though the ledger has forgotten its messages',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass, readNow } = createLedger(database)
    const slack = scriptChannel([ACCEPTED, refused({ excerpt: 'gone', isPermanent: true })])
    const [recipient, former] = ['a', 'b'].map((destination) => ({ channel: 'slack', destination }))
    if (!recipient || !former) throw new Error('There are two')
    const worker = createWorker({ slack })
    await enqueueTo(database, [aMatch('t1', { destinations: [recipient] })], access)
    await worker.work()
    pass(DAY_MS)
    await enqueueTo(database, [aMatch('t2', { destinations: [recipient] })], access)
    await worker.work()
    await enqueueTo(database, [aMatch('t3', { destinations: [former] })], access)
    await worker.work()
    pass(31 * DAY_MS)
    await keepDestinations(database, [recipient], access)
    expect(await deleteOlder(database, readNow)).toBe(3)
    const healthOf = await readHealth(database, [recipient, former], access)
    expect(healthOf(former)).toBeNull()
    expect(healthOf(recipient)).toMatchObject({
      masked: '…',
      health: {
        state: 'failing',
        since: '2026-11-23T12:00:00.000Z',
        provenAt: '2026-11-22T12:00:00.000Z',
        fault: { code: '503', excerpt: 'gone' },
      },
    })
  }),
)

/** Deletes what ended more than 30 days ago; returns the number of deliveries. */
async function deleteOlder(database: Database, readNow: ReadNow): Promise<number> {
  const before = new Date((await readNow(database)).getTime() - 30 * DAY_MS).toISOString()
  const count = await deleteOldDeliveries(database, before, 1_000)
  await deleteUnused(database, before, 1_000)
  return count
}
