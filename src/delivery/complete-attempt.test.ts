import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import {
  ACCEPTED,
  aMatch,
  createLedger,
  enqueueTo,
  holdAnswer,
  refused,
  scriptChannel,
  threatIdsIn,
  UNCLEAR,
} from '#test/support/delivery/deliveries.ts'
import { withDatabase } from '#test/support/with-database.ts'
import type { Send } from './channels/channel.ts'
import { insertDeliveries } from './enqueue.ts'
import { countDeliveries, listDeliveries, readDelivery, sendAgain } from './ledger.ts'

test(
  'retries with longer pauses for a day, then reports a failure that a person may resend',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass, readNow } = createLedger(database)
    const slack = scriptChannel(Array.from({ length: 500 }, () => refused()))
    const worker = createWorker({ slack })
    await enqueueTo(database, [aMatch('t1')], access)
    await worker.work()
    pass(4_999)
    await worker.work()
    expect(slack.sent).toHaveLength(1)
    pass(1)
    await worker.work()
    expect(slack.sent).toHaveLength(2)
    for (let hour = 0; hour < 27; hour += 3) {
      await worker.work()
      pass(3 * HOUR_MS)
    }
    const [failed] = (await listDeliveries(database, { states: ['failed'], limit: 1 })).items
    expect(failed).toMatchObject({ code: '503', excerpt: 'busy', nextAttemptAt: null })
    expect(failed?.attempts).toBeGreaterThan(8)
    expect(new Set(slack.sent.map(({ deliveryId }) => deliveryId)).size).toBe(1)

    slack.sent.length = 0
    const healthy = scriptChannel()
    expect(await sendAgain(database, failed?.id ?? '', readNow)).toBe(true)
    await createWorker({ slack: healthy }).work()
    expect(healthy.sent).toMatchObject([{ deliveryId: failed?.id }])
    expect(await sendAgain(database, failed?.id ?? '', readNow)).toBe(false)
  }),
)

test(
  'respects Retry-After of a destination, and stops after a permanent refusal',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass } = createLedger(database)
    const slack = scriptChannel([refused({ code: '429', retryAfterMs: 10 * MINUTE_MS })])
    const worker = createWorker({ slack })
    await enqueueTo(database, [aMatch('t1')], access)
    await worker.work()
    // Another message to it waits as well.
    pass(2 * MINUTE_MS)
    await enqueueTo(database, [aMatch('t2')], access)
    await worker.work()
    pass(8 * MINUTE_MS - 1)
    await worker.work()
    expect(slack.sent).toHaveLength(1)
    pass(1)
    await worker.work()
    expect(slack.sent).toHaveLength(3)

    const teams = scriptChannel([refused({ code: '410', isPermanent: true })])
    const elsewhere = [{ channel: 'teams', destination: 'x' }]
    await enqueueTo(database, [aMatch('t3', { destinations: elsewhere })], access)
    const other = createWorker({ teams })
    for (let day = 0; day < 3; day++) {
      await other.work()
      pass(24 * HOUR_MS)
    }
    expect(teams.sent).toHaveLength(1)
    expect((await listDeliveries(database, { channel: 'teams', limit: 9 })).items).toMatchObject([
      { state: 'failed', code: '410' },
    ])
  }),
)

test(
  'waits up to a day if a destination requests it, and gives up after a day',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass } = createLedger(database)
    const answerLate = async () => {
      pass(2_000)
      return refused({ retryAfterMs: 24 * HOUR_MS })
    }
    const slack = scriptChannel([answerLate, answerLate])
    const worker = createWorker({ slack })
    await enqueueTo(database, [aMatch('t1')], access)
    await worker.work()
    expect(await countDeliveries(database)).toMatchObject({ retrying: 1 })
    pass(24 * HOUR_MS - 1)
    await worker.work()
    expect(slack.sent).toHaveLength(1)
    pass(1)
    await worker.work()
    expect(slack.sent).toHaveLength(2)
    expect(await countDeliveries(database)).toMatchObject({ retrying: 0, failed: 1 })
  }),
)

test(
  'marks an unknown arrival as unclear, unless the receiver recognises repeats',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass } = createLedger(database)
    const slack = scriptChannel([UNCLEAR])
    const webhook = scriptChannel([UNCLEAR, UNCLEAR], { recognizesRepeats: true })
    const worker = createWorker({ slack, webhook })
    const destinations = ['slack', 'webhook'].map((channel) => ({ channel, destination: 'x' }))
    await enqueueTo(database, [aMatch('t1', { destinations })], access)
    for (let hour = 0; hour < 4; hour++) {
      await worker.work()
      pass(HOUR_MS)
    }
    expect(slack.sent).toHaveLength(1)
    expect(webhook.sent).toHaveLength(3)
    expect(new Set(webhook.sent.map(({ deliveryId }) => deliveryId)).size).toBe(1)
    expect(await countDeliveries(database)).toMatchObject({ unclear: 1, sent: 1 })
  }),
)

test(
  'finds what a process left in the middle, and believes the answer that comes late',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass } = createLedger(database)
    const held = holdAnswer()
    const slack = scriptChannel([held.send])
    const slow = createWorker({ slack })
    const other = createWorker({ slack })
    await enqueueTo(database, [aMatch('t1')], access)
    await slow.pass()
    await held.left
    pass(50_000)
    // It lives: what it holds is its own.
    await slow.beat()
    pass(50_000)
    await other.work()
    expect(await countDeliveries(database)).toMatchObject({ sending: 1 })
    pass(10_001)
    await other.work()
    expect(await countDeliveries(database)).toMatchObject({ sending: 0, unclear: 1 })
    const [unclear] = (await listDeliveries(database, { limit: 1 })).items
    expect(await readDelivery(database, unclear?.id ?? '')).toMatchObject({
      history: [{ number: 1, outcome: 'unclear', excerpt: 'Lantern ended before an answer came' }],
    })
    held.answer(ACCEPTED)
    await slow.finish()
    expect(slack.sent).toHaveLength(1)
    expect(await readDelivery(database, unclear?.id ?? '')).toMatchObject({
      state: 'sent',
      history: [{ outcome: 'accepted', code: '200' }],
    })
  }),
)

test(
  'resends a delivery that a stalled process had not begun to send, without a duplicate',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass } = createLedger(database)
    const resumed = Promise.withResolvers<void>()
    const late: Send = async ({ onBody }) => {
      await resumed.promise
      await onBody?.()
      return ACCEPTED
    }
    const stalled = createWorker({ slack: scriptChannel([late]) }, { onError: () => {} })
    const slack = scriptChannel()
    const other = createWorker({ slack })
    await enqueueTo(database, [aMatch('t1')], access)
    await stalled.pass()
    pass(10_000)
    await stalled.beat()
    pass(10_000)
    await other.work()
    expect(await countDeliveries(database)).toMatchObject({ sending: 1 })
    pass(1)
    await other.work()
    expect(await countDeliveries(database)).toMatchObject({ retrying: 1, unclear: 0 })
    pass(1_000)
    await other.work()
    expect(slack.sent).toHaveLength(1)
    resumed.resolve()
    await stalled.finish()
    const [sent] = (await listDeliveries(database, { limit: 1 })).items
    expect(await readDelivery(database, sent?.id ?? '')).toMatchObject({
      state: 'sent',
      history: [
        { number: 1, outcome: 'refused', code: null, excerpt: 'Nothing has left' },
        { number: 2, outcome: 'accepted' },
      ],
    })
  }),
)

test(
  'sends nothing twice when the clock leaps',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass } = createLedger(database)
    const held = holdAnswer()
    const slack = scriptChannel([refused(), held.send])
    const worker = createWorker({ slack })
    await enqueueTo(database, [aMatch('t1')], access)
    await worker.work()
    pass(5_000)
    await worker.pass()
    expect(slack.sent).toHaveLength(2)
    await held.left
    pass(48 * HOUR_MS)
    await createWorker({ slack }).work()
    held.answer(ACCEPTED)
    await worker.finish()
    await worker.work()
    expect(slack.sent).toHaveLength(2)
    expect(await countDeliveries(database)).toMatchObject({ sent: 1 })
  }),
)

test(
  'pauses where a destination fails in a row, then tries it with one message',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass } = createLedger(database)
    const weak = scriptChannel(Array.from({ length: 6 }, () => refused()))
    // Attempts are made one at a time.
    const worker = createWorker({ weak }, { rateOf: () => ({ everyMs: 1_000, burst: 1 }) })
    const to = [{ channel: 'weak', destination: 'y' }]
    for (let at = 0; at < 8; at++) {
      const notice = { subject: `${at}`, text: '', link: 'https://lantern.example/' }
      await insertDeliveries(database, to, { kind: 'notice', ...notice }, access)
    }
    const sentAfter = async (ms: number) => {
      pass(ms)
      await worker.work()
      return weak.sent.length
    }
    const inFirst = []
    for (let second = 0; second < 5; second++) inFirst.push(await sentAfter(1_000))
    expect(inFirst).toEqual([1, 2, 3, 4, 5])
    expect(await sentAfter(29_999)).toBe(5)
    // It is refused once more: the pause is twice as long.
    expect(await sentAfter(1)).toBe(6)
    expect(await sentAfter(59_999)).toBe(6)
    expect(await sentAfter(1)).toBe(7)
    // That one was taken: the others follow.
    expect(await sentAfter(1_000)).toBe(8)
    for (let second = 0; second < 8; second++) await sentAfter(1_000)
    expect(await countDeliveries(database)).toMatchObject({ sent: 8 })
  }),
)

test(
  'counts what was taken, though a later attempt was refused',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass } = createLedger(database)
    const first = holdAnswer()
    const second = holdAnswer()
    const webhook = scriptChannel([first.send, second.send], {
      recognizesRepeats: true,
    })
    const slow = createWorker({ webhook })
    const other = createWorker({ webhook })
    await enqueueTo(
      database,
      [aMatch('t1', { destinations: [{ channel: 'webhook', destination: 'x' }] })],
      access,
    )
    await slow.pass()
    await first.left
    pass(2 * MINUTE_MS)
    await other.pass()
    pass(MINUTE_MS)
    await other.pass()
    await second.left
    expect(webhook.sent).toHaveLength(2)
    first.answer(ACCEPTED)
    await slow.finish()
    expect(await countDeliveries(database)).toMatchObject({ sending: 1 })
    second.answer(refused({ isPermanent: true }))
    await other.finish()
    expect(await countDeliveries(database)).toMatchObject({ sending: 0, sent: 1 })
  }),
)

test(
  'an unreadable delivery does not delay others',
  withDatabase('service', async (database) => {
    const { access, createWorker } = createLedger(database)
    const slack = scriptChannel()
    const errors: unknown[] = []
    await enqueueTo(database, [aMatch('t1')], access)
    await database.query(`update delivery_match set threat = '{}'`)
    const elsewhere = [{ channel: 'slack', destination: 'https://hooks.example/b' }]
    await enqueueTo(database, [aMatch('t2', { destinations: elsewhere })], access)
    await createWorker({ slack }, { onError: (error) => void errors.push(error) }).work()
    expect(threatIdsIn(slack.sent)).toEqual([['t2']])
    expect(errors).toHaveLength(1)
    expect(await countDeliveries(database)).toMatchObject({ sent: 1, retrying: 1 })
  }),
)

test(
  'a destination that answers 410 is switched off, though the database fails while that is recorded',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass } = createLedger(database)
    const teams = scriptChannel([refused({ code: '410', isPermanent: true, isGone: true })])
    const errors: unknown[] = []
    let isFailing = true
    const failingOnce: Database = {
      ...database,
      transaction: (run) =>
        database.transaction((tx) =>
          run({
            ...tx,
            query(text, values) {
              if (!isFailing || !text.includes('failing_since')) return tx.query(text, values)
              isFailing = false
              return Promise.reject(new Error('The connection has ended'))
            },
          }),
        ),
    }
    const worker = createWorker(
      { teams },
      { database: failingOnce, onError: (error) => void errors.push(error) },
    )
    const destinations = [{ channel: 'teams', destination: 'x' }]
    await enqueueTo(database, [aMatch('t1', { destinations })], access)
    await worker.work()
    expect(errors).toHaveLength(1)
    await enqueueTo(database, [aMatch('t2', { destinations })], access)
    pass(HOUR_MS)
    await worker.work()
    expect(threatIdsIn(teams.sent)).toEqual([['t1']])
    expect((await listDeliveries(database, { limit: 9 })).items).toMatchObject([
      { state: 'notSent', reason: 'ended' },
      { state: 'failed', code: '410' },
    ])
  }),
)
