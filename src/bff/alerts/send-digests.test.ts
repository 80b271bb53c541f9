import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Schedule } from '#contract/bff/alert-profile.ts'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import { killedAt } from '#test/support/delivery/killed-at.ts'
import { startMailServer } from '#test/support/delivery/stand-in-mail-server.ts'
import { createDigestProcess } from '#test/support/profiles/create-digest-process.ts'
import { startProfiles } from '#test/support/profiles/start-profiles.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const bodySchema = z.object({
  type: z.string(),
  data: z.looseObject({ since: z.string(), until: z.string() }),
})

/** A profile with a digest, to real receivers of mail and of a webhook; `sending` processes send. */
async function startDigest(schedule: Schedule, { timeZone = 'UTC', sending = 0 } = {}) {
  const database = await takeDatabase('bff')
  const { mail, mails } = await startMailServer()
  const started = await startProfiles(database, { sending, mail })
  const recipients = [
    { channel: 'email', address: 'manager@corp.example' } as const,
    { channel: 'webhook', url: `${started.receiver.origin}/hook` } as const,
  ]
  await started.create(recipients, { name: 'Weekly', timeZone, schedule })
  return {
    ...started,
    database,
    mail,
    mails,
    arrived: () => [mails.length, started.receiver.received.length],
    digests: () => started.receiver.received.map(({ body }) => bodySchema.parse(JSON.parse(body))),
  }
}

test('the leading process sends a digest of stored records to a mail server and a webhook, once', async () => {
  const started = await startDigest({ kind: 'weekly', weekday: 1, hour: 8 }, { sending: 2 })
  const { database, mails, publish, readNewer, arrived, digests } = started
  await publish(
    { id: 'one', title: 'Okapi Ltd was breached', risk_level: 'critical' },
    { id: 'two', title: 'Tapir Ltd is for sale', risk_level: 'low' },
  )
  expect(arrived()).toEqual([0, 0])
  // Monday, 08:00.
  await database.query('update alert_profile set digest_due = now()')
  await readNewer()
  await expect.poll(arrived).toEqual([1, 1])
  expect(digests()).toMatchObject([
    {
      type: 'alert.digest',
      data: {
        count: 2,
        previousCount: null,
        readUpTo: null,
        undelivered: [],
        severities: [
          { severity: 'critical', count: 1 },
          { severity: 'low', count: 1 },
        ],
        threats: [
          { id: 'one', title: 'Okapi Ltd was breached' },
          { id: 'two', title: 'Tapir Ltd is for sale' },
        ],
      },
    },
  ])
  const source = mails[0]?.source.replace(/=\r?\n/g, '') ?? ''
  expect(source).toMatch(/^Subject: .*Weekly/m)
  for (const title of ['Okapi Ltd was breached', 'Tapir Ltd is for sale'])
    expect(source.split(title).length, title).toBeGreaterThan(2)
  // Matches of later are of the next digest.
  await publish({ id: 'three' })
  await readNewer()
  expect(arrived()).toEqual([1, 1])
})

test('a digest begins with the threats that its receivers’ lists match, and has none twice', async () => {
  const started = await startDigest({ kind: 'daily', hour: 8 }, { sending: 1 })
  const { ask, database, mails, publish, readNewer, arrived, digests } = started
  const entries = [{ name: 'Tapir Logistics', domains: [], note: null, key: null, weight: 'normal' }]
  const list = { name: 'Suppliers', kind: 'supplier', isShared: true, entries }
  expect((await ask('/bff/lists', { body: list })).status).toBe(201)
  await publish(
    { id: 'one', title: 'Okapi Ltd was breached', risk_level: 'critical' },
    { id: 'two', title: 'Tapir Logistics is for sale', risk_level: 'low' },
    { id: 'three', title: 'Zebra Ltd was breached', risk_level: 'high' },
  )
  await database.query('update alert_profile set digest_due = now()')
  await readNewer()
  await expect.poll(arrived).toEqual([1, 1])
  expect(digests()).toMatchObject([
    {
      data: {
        count: 3,
        concernCount: 1,
        threats: [
          { id: 'two', concerns: [{ kind: 'supplier', list: 'Suppliers', entry: 'Tapir Logistics' }] },
          { id: 'one' },
          { id: 'three' },
        ],
      },
    },
  ])
  const source = mails[0]?.source.replace(/=\r?\n/g, '') ?? ''
  const order = ['Concerns us (1)', 'Tapir Logistics', 'Other matches', 'Okapi Ltd'].map((part) =>
    source.indexOf(part),
  )
  expect(order).toEqual(order.toSorted((one, other) => one - other))
  expect(order).not.toContain(-1)
})

test.each([
  ['it writes the digest', 'with made as'],
  ['it takes the matches', 'with waiting as'],
  ['it takes the message', 'insert into delivery_attempt'],
])('the digest arrives once if one of two processes is killed before %s', async (_, statement) => {
  const { database, mail, publish, arrived, digests } = await startDigest({ kind: 'daily', hour: 8 })
  await publish({ id: 'one' }, { id: 'two' })
  let nowMs = Date.now() + 2 * DAY_MS
  const start = createDigestProcess({ database, mail, readNow: async () => new Date(nowMs) })
  const killed = Promise.withResolvers<void>()
  const dying = start(killedAt(database, statement, killed.resolve))
  const other = start()
  const never = dying.compose().then(() => dying.sender.pass())
  await Promise.race([killed.promise, never])
  await killed.promise
  // It takes what it finds, and what the killed one had taken once its lease is over.
  for (const ms of [0, 60_001, 1_000]) {
    nowMs += ms
    await other.compose()
    await other.work()
  }
  expect(arrived()).toEqual([1, 1])
  expect(digests()).toMatchObject([{ data: { count: 2 } }])
})

const CLOCK_CHANGES = [
  ['Europe/Berlin', 2, '2027-03-27T01:00:00Z', ['2027-03-27 02:00', '2027-03-28 03:00', '2027-03-29 02:00']],
  ['Europe/Berlin', 2, '2027-10-30T00:00:00Z', ['2027-10-30 02:00', '2027-10-31 02:00', '2027-11-01 02:00']],
] as const

test.each(CLOCK_CHANGES)(
  'while clocks change in %s a digest of %i:00 arrives once each day',
  async (timeZone, hour, first, expected) => {
    const started = await startDigest({ kind: 'daily', hour }, { timeZone })
    const { database, mail, arrived, digests } = started
    await database.query('update alert_profile set digest_due = $1, digest_since = $2', [
      first,
      new Date(Date.parse(first) - DAY_MS),
    ])
    let nowMs = Date.parse(first) - HOUR_MS
    const start = createDigestProcess({ database, mail, readNow: async () => new Date(nowMs) })
    const processes = [start(), start()]
    for (; nowMs < Date.parse(first) + 3 * DAY_MS - 2 * HOUR_MS; nowMs += HOUR_MS / 2) {
      // The vendor's list is read all the time.
      await database.query('update window_reach set last_read_at = $1', [new Date(nowMs)])
      await Promise.all(processes.map(({ compose }) => compose()))
      await Promise.all(processes.map(({ work }) => work()))
    }
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    expect(digests().map(({ data }) => format.format(new Date(data.until)))).toEqual(expected)
    expect(arrived()).toEqual([3, 3])
    // Each begins where the one before has ended.
    const ends = digests().map(({ data }) => data.until)
    expect(digests().map(({ data }) => data.since)).toEqual([
      new Date(Date.parse(first) - DAY_MS).toISOString(),
      ...ends.slice(0, -1),
    ])
  },
)
