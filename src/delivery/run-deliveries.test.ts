import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
import { listen } from '#database/listen.ts'
import {
  aMatch,
  aNotifiedThreat,
  createLedger,
  enqueueTo,
  PROFILE,
  refused,
  SECRET,
  scriptChannel,
  sendTest,
  threatIdsIn,
} from '#test/support/delivery/deliveries.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { resumeCause, stopCause } from './causes.ts'
import { claimDelivery } from './claim-delivery.ts'
import { resealDestinations } from './destinations.ts'
import { gatherMatches } from './gather-matches.ts'
import { countDeliveries, listDeliveries } from './ledger.ts'
import { readDatabaseTime } from './ledger-access.ts'
import { RATE } from './retry-rules.ts'
import { runDeliveries } from './run-deliveries.ts'

test(
  'sends a match once, however often it is enqueued, and none that was rolled back',
  withDatabase('service', async (database) => {
    const { access, createWorker } = createLedger(database)
    const slack = scriptChannel()
    const worker = createWorker({ slack })
    const rolledBack = database.transaction(async (tx) => {
      await enqueueTo(tx, [aMatch('none')], access)
      throw new Error('no')
    })
    await expect(rolledBack).rejects.toThrow('no')
    await worker.work()
    expect(slack.sent).toEqual([])

    const enqueue = () => database.transaction((tx) => enqueueTo(tx, [aMatch('t1')], access))
    expect(await Promise.all([enqueue(), enqueue()])).toEqual(expect.arrayContaining([0, 1]))
    await worker.work()
    expect(await enqueue()).toBe(0)
    await worker.work()
    expect(slack.sent).toMatchObject([{ destination: 'https://hooks.example/a' }])
    const { items } = await listDeliveries(database, { limit: 10 })
    expect(items).toMatchObject([{ state: 'sent', attempts: 1, code: '200', destination: 'hooks.example/…' }])
    const stored = JSON.stringify(
      (await database.query(`select *, encode(sealed, 'escape') as text from delivery_destination`)).rows,
    )
    expect(stored).not.toContain('hooks.example/a')
  }),
)

test(
  'sends the first match at once, groups those of the next minute, and joins their causes',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass } = createLedger(database)
    const slack = scriptChannel()
    const worker = createWorker({ slack })
    const other = { id: 'w1', name: 'Ours', isTeam: false } as const
    const threat = { ...aMatch('t1').threat, matchedWords: ['ours'] }
    await enqueueTo(database, [aMatch('t1'), aMatch('t1', { cause: other, threat })], access)
    await worker.work()
    expect(slack.sent.map(({ message }) => message)).toMatchObject([
      {
        count: 1,
        causes: [{ name: 'Acme' }, { name: 'Ours' }],
        threats: [{ id: 't1', matchedWords: ['acme', 'ours'] }],
      },
    ])

    const severities = ['low', 'critical', 'medium', 'high', 'critical', 'low', 'unheard of']
    for (const [at, severity] of severities.entries()) {
      pass(5_000)
      const match = aMatch(`f${at}`)
      await enqueueTo(database, [{ ...match, threat: { ...match.threat, severity } }], access)
      await worker.work()
    }
    expect(slack.sent).toHaveLength(1)
    pass(30_000)
    await worker.work()
    const [, second] = slack.sent
    expect(second?.message).toMatchObject({
      count: 7,
      criticalCount: 2,
      link: `https://lantern.example/deliveries/${second?.deliveryId}`,
    })
    expect(threatIdsIn(slack.sent)[1]).toEqual(['f1', 'f4', 'f3', 'f2', 'f0'])
  }),
)

test(
  'holds back matches above the hourly limit, and sends them as one message',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass } = createLedger(database)
    const slack = scriptChannel()
    const worker = createWorker({ slack })
    for (let minute = 0; minute < 22; minute++) {
      await enqueueTo(database, [aMatch(`t${minute}`)], access)
      await worker.work()
      pass(MINUTE_MS)
    }
    expect(slack.sent).toHaveLength(20)
    expect(await countDeliveries(database)).toMatchObject({ sent: 20, heldBack: 1 })
    pass(HOUR_MS - 22 * MINUTE_MS)
    await worker.work()
    expect(slack.sent).toHaveLength(21)
    expect(slack.sent.at(-1)?.message).toMatchObject({ count: 2 })
  }),
)

test(
  'all processes share the rate limit of a destination',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass } = createLedger(database)
    const slack = scriptChannel()
    const rate = { rateOf: () => ({ everyMs: 1_000, burst: 3 }) }
    const workers = [createWorker({ slack }, rate), createWorker({ slack }, rate)]
    const to = { channel: 'slack', destination: 'https://hooks.example/a' }
    const tell = { causes: [], requestedBy: 'ada@example.com', link: 'https://lantern.example/' }
    for (let at = 0; at < 6; at++) await sendTest(database, { to, ...tell }, access)
    const work = async () => {
      await Promise.all(workers.map((worker) => worker.work()))
      // The first worker left this to the other.
      await workers[0]?.work()
    }
    await work()
    expect(slack.sent).toHaveLength(3)
    pass(999)
    await work()
    expect(slack.sent).toHaveLength(3)
    pass(1)
    await work()
    expect(slack.sent).toHaveLength(4)
    pass(10_000)
    await work()
    expect(slack.sent).toHaveLength(6)
    expect(new Set(slack.sent.map(({ deliveryId }) => deliveryId)).size).toBe(6)
  }),
)

test(
  'sends nothing of what was paused or deleted meanwhile, and says why',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass } = createLedger(database)
    const slack = scriptChannel([refused()])
    const worker = createWorker({ slack })
    const other = { id: 'w1', name: 'Ours', isTeam: false } as const
    await enqueueTo(database, [aMatch('t1')], access)
    await worker.work()
    await enqueueTo(database, [aMatch('t2'), aMatch('t3', { cause: other })], access)
    await worker.pass()
    await database.transaction((tx) => stopCause(tx, PROFILE, 'paused'))
    expect((await listDeliveries(database, { states: ['notSent'], limit: 9 })).items).toMatchObject([
      { reason: 'paused', causes: [{ id: 'p1' }], threatCount: 1 },
    ])
    // A process that does not know of the pause yet enqueues this match.
    await enqueueTo(database, [aMatch('t4')], access)
    pass(HOUR_MS)
    await worker.work()
    expect(threatIdsIn(slack.sent)).toEqual([['t1'], ['t3']])
    await database.transaction((tx) => resumeCause(tx, PROFILE.id))
    await enqueueTo(database, [aMatch('t5')], access)
    pass(HOUR_MS)
    await worker.work()
    expect(threatIdsIn(slack.sent)).toEqual([['t1'], ['t3'], ['t5']])
    await enqueueTo(database, [aMatch('t6')], access)
    await database.transaction((tx) => stopCause(tx, PROFILE, 'deleted'))
    pass(HOUR_MS)
    await worker.work()
    expect(threatIdsIn(slack.sent)).toHaveLength(3)
    const [last] = (await listDeliveries(database, { limit: 1 })).items
    expect(last).toMatchObject({ state: 'notSent', reason: 'deleted' })
  }),
)

test(
  'fails at once with another secret, and sends after the destinations are sealed again',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass } = createLedger(database)
    const slack = scriptChannel()
    await enqueueTo(database, [aMatch('t1')], access)
    await createWorker({ email: scriptChannel() }).work()
    expect(await countDeliveries(database)).toMatchObject({ queued: 1 })
    await createWorker({ slack }, { secret: 'another secret of enough letters' }).work()
    expect(slack.sent).toEqual([])
    expect((await listDeliveries(database, { limit: 1 })).items).toMatchObject([
      { state: 'failed', excerpt: expect.stringContaining('another SECRET') },
    ])

    const secret = 'the secret that came after, long enough'
    await resealDestinations(database, { secret, before: SECRET })
    const again = { ...access, secret }
    await enqueueTo(database, [aMatch('t2')], again)
    await createWorker({ slack }, { secret }).work()
    pass(HOUR_MS)
    await createWorker({ slack }, { secret }).work()
    expect(slack.sent).toMatchObject([{ destination: 'https://hooks.example/a' }])
    expect((await database.query('select from delivery_destination')).rowCount).toBe(1)
  }),
)

test(
  'closes a delivery under a row lock: the next delivery sends later matches',
  withDatabase('service', async (database) => {
    const { access, createWorker, readNow, pass } = createLedger(database)
    const slack = scriptChannel()
    await enqueueTo(database, [aMatch('t1')], access)
    await gatherMatches(database, readNow)
    await enqueueTo(database, [aMatch('t2')], access)
    const taken = await database.transaction(async (tx) => {
      const claimed = await claimDelivery(tx, {
        worker: '0b9c9a6e-4c0b-4f57-9c40-4a1d6c1f0a11',
        channels: ['slack'],
        busy: { destinations: [], lines: [] },
        rateOf: () => RATE,
        readNow,
      })
      await gatherMatches(database, readNow)
      return claimed
    })
    expect(taken).toMatchObject({ number: 1 })
    pass(HOUR_MS)
    await createWorker({ slack }).work()
    expect(threatIdsIn(slack.sent)).toEqual([['t2']])
    const [, first] = (await listDeliveries(database, { limit: 9 })).items
    expect(first).toMatchObject({ state: 'retrying', threatCount: 1 })
  }),
)

test(
  'receives notices of due deliveries at once, from any process',
  withDatabase('service', async (database) => {
    const { access } = createLedger(database)
    const slack = scriptChannel()
    const options = { database, secret: SECRET, linkTo: (id: string) => id, pollMs: HOUR_MS }
    const failed: unknown[] = []
    const worker = runDeliveries({ ...options, channels: { slack }, onError: (error) => failed.push(error) })
    const deafen = await listen(database.pool, [worker.notices], (error) => failed.push(error))
    await enqueueTo(database, [aMatch('t1')], { ...access, readNow: readDatabaseTime })
    await expect.poll(() => slack.sent).toHaveLength(1)
    await worker.stop()
    expect(await countDeliveries(database)).toMatchObject({ sent: 1 })
    await deafen()
    expect(failed).toEqual([])
  }),
)

test(
  'waits neither for an open matching transaction nor for a silent destination',
  withDatabase('service', async (database) => {
    const { access, createWorker } = createLedger(database)
    const slack = scriptChannel([() => new Promise(() => {}), () => new Promise(() => {})])
    const worker = createWorker({ slack })
    await enqueueTo(database, [aMatch('t1')], access)
    await database.transaction(async (tx) => {
      await enqueueTo(tx, [aMatch('t2')], access)
      await database.transaction((other) => enqueueTo(other, [aMatch('t3')], access))
      await worker.pass()
    })
    expect(threatIdsIn(slack.sent).flat()).toEqual(['t1', 't3'])
    const to = { channel: 'slack', destination: 'https://hooks.example/a' }
    const tell = { causes: [], requestedBy: 'ada@example.com', link: 'https://lantern.example/' }
    for (let at = 0; at < 3; at++) await sendTest(database, { to, ...tell }, access)
    await sendTest(database, { to: { ...to, destination: 'https://hooks.example/b' }, ...tell }, access)
    await worker.pass()
    expect(slack.sent.map(({ destination }) => destination.at(-1)).toSorted()).toEqual(['a', 'a', 'b'])
    await expect.poll(() => countDeliveries(database)).toMatchObject({ sent: 1 })
  }),
)

test(
  'a mail server or a host that hangs does not delay other destinations',
  withDatabase('service', async (database) => {
    const { access, createWorker } = createLedger(database)
    const hangs = () => new Promise<never>(() => {})
    const email = scriptChannel(Array.from({ length: 200 }, () => hangs))
    const webhook = scriptChannel(Array.from({ length: 8 }, () => hangs))
    const to = (channel: string, count: number, address: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => ({ channel, destination: address(at) }))
    const destinations = [
      ...to('email', 200, (at) => `person-${at}@corp.example`),
      ...to('webhook', 40, (at) => `https://hung.example/${at}`),
    ]
    await enqueueTo(database, [aMatch('t1', { destinations })], access)
    const worker = createWorker({ email, webhook })
    await worker.pass()
    await worker.pass()
    const other = to('webhook', 1, () => 'https://soc.example/in')
    await enqueueTo(database, [aMatch('t2', { destinations: other })], access)
    await worker.pass()
    expect([email.sent.length, webhook.sent.length]).toEqual([8, 9])
    expect(webhook.sent.at(-1)).toMatchObject({ destination: 'https://soc.example/in' })
    await expect.poll(() => countDeliveries(database)).toMatchObject({ sent: 1 })
  }),
)

test(
  'names the server of a destination that is known from before, once something goes to it again',
  withDatabase('service', async (database) => {
    const { access } = createLedger(database)
    const destinations = ['https://a.example/1', 'https://a.example/2', 'https://b.example/1'].map(
      (destination) => ({ channel: 'webhook', destination }),
    )
    const enqueue = (id: string) => enqueueTo(database, [aMatch(id, { destinations })], access)
    const countLines = async () =>
      (await database.query('select distinct line from delivery_destination')).rowCount
    await enqueue('t1')
    expect(await countLines()).toBe(2)
    await database.query('update delivery_destination set line = channel')
    await enqueue('t2')
    expect(await countLines()).toBe(2)
  }),
)

test(
  'sends critical matches first, and holds none of them back',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass } = createLedger(database)
    const slack = scriptChannel()
    const worker = createWorker({ slack })
    const critical = (id: string) => aMatch(id, { threat: aNotifiedThreat(id, { severity: 'critical' }) })
    const others = Array.from({ length: 3 }, (_, at) => ({
      ...aMatch(`o${at}`),
      destinations: [{ channel: 'slack', destination: `https://hooks.example/o${at}` }],
    }))
    await enqueueTo(database, [...others, critical('c0')], access)
    await worker.work()
    expect(threatIdsIn(slack.sent)[0]).toEqual(['c0'])

    for (let minute = 0; minute < 22; minute++) {
      pass(MINUTE_MS)
      await enqueueTo(database, [aMatch(`t${minute}`)], access)
      await worker.work()
    }
    expect(await countDeliveries(database)).toMatchObject({ heldBack: 1 })
    pass(MINUTE_MS)
    await enqueueTo(database, [critical('c1')], access)
    await worker.work()
    expect(await countDeliveries(database)).not.toMatchObject({ heldBack: 1 })
    expect(threatIdsIn(slack.sent).at(-1)).toContain('c1')
  }),
)

test(
  'stores and sends any text of a vendor and of a destination',
  withDatabase('service', async (database) => {
    const { access, createWorker } = createLedger(database)
    const slack = scriptChannel([refused({ isPermanent: true, code: '\0', excerpt: '\0\ud800"\'\\u0000' })])
    const title = '\0 \ud83d "\\u0000\u2028 </script>'
    await enqueueTo(database, [aMatch('t1', { threat: aNotifiedThreat('t1', { title }) })], access)
    await createWorker({ slack }).work()
    expect(slack.sent).toMatchObject([
      { message: { threats: [{ title: '\ufffd \ufffd "\\u0000\u2028 </script>' }] } },
    ])
    expect((await listDeliveries(database, { limit: 1 })).items).toMatchObject([
      { state: 'failed', excerpt: '\ufffd\ufffd"\'\\u0000' },
    ])
  }),
)
