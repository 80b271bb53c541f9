import { expect, test } from 'vitest'
import { MINUTE_MS } from '#contract/duration.ts'
import {
  aMatch,
  createLedger,
  enqueueTo,
  refused,
  scriptChannel,
  sendTest,
  threatIdsIn,
} from '#test/support/delivery/deliveries.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { listDeliveries, sendAgain } from './ledger.ts'

test(
  'stops sending to a destination after a 410, until a person resends or a test succeeds',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass, readNow } = createLedger(database)
    const gone = refused({ code: '410', isPermanent: true, isGone: true })
    const answers = [refused(), gone]
    const webhook = scriptChannel(answers, { recognizesRepeats: true })
    const worker = createWorker({ webhook })
    const to = { channel: 'webhook', destination: 'https://hooks.example/a' }
    const tell = async (id: string) => {
      pass(1_000)
      await enqueueTo(database, [aMatch(id, { destinations: [to] })], access)
      await worker.work()
      pass(2 * MINUTE_MS)
      await worker.work()
      return threatIdsIn(webhook.sent).flat()
    }
    const sendOneTest = async () => {
      pass(1_000)
      await sendTest(
        database,
        { to, causes: [], requestedBy: 'Ada', link: 'https://lantern.example/' },
        access,
      )
      await worker.work()
    }
    await enqueueTo(database, [aMatch('t1', { destinations: [to] })], access)
    await worker.work()
    await sendOneTest()
    expect(await tell('t2')).toEqual(['t1'])
    expect(webhook.sent).toHaveLength(2)
    const { items } = await listDeliveries(database, { limit: 9 })
    expect(items).toMatchObject([
      { kind: 'matches', state: 'notSent', reason: 'ended', code: null },
      { kind: 'test', state: 'failed', reason: null, code: '410' },
      { kind: 'matches', state: 'notSent', reason: 'ended', code: '503' },
    ])

    expect(await sendAgain(database, items[0]?.id ?? '', readNow)).toBe(true)
    await worker.work()
    expect(await tell('t3')).toEqual(['t1', 't2', 't3'])

    answers.push(gone)
    expect(await tell('t4')).toEqual(['t1', 't2', 't3', 't4'])
    expect(await tell('t5')).toEqual(['t1', 't2', 't3', 't4'])
    await sendOneTest()
    expect(await tell('t6')).toEqual(['t1', 't2', 't3', 't4', 't6'])
  }),
)
