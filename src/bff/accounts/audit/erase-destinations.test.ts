import { expect, test } from 'vitest'
import { listDeliveries } from '#delivery/ledger.ts'
import {
  ACCEPTED,
  aMatch,
  createLedger,
  enqueueTo,
  holdAnswer,
  refused,
  SECRET,
  scriptChannel,
  UNCLEAR,
} from '#test/support/delivery/deliveries.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { eraseDestinations } from './erase-destinations.ts'

const BOB = 'bob.mallory@corp.example'
const ERASED = { words: [BOB], addresses: [BOB], secrets: [SECRET], mark: 'erased person' }
const REFUSAL = refused({ code: '450', excerpt: `<${BOB}>: try later` })

test.each([
  ['refused for now', REFUSAL, { state: 'notSent', reason: 'removed' }],
  ['refused for good', { ...REFUSAL, isPermanent: true }, { state: 'failed', reason: null }],
  ['left without an answer', UNCLEAR, { state: 'unclear', reason: null }],
  ['taken', ACCEPTED, { state: 'sent', reason: null }],
])(
  'a message being sent to an erased person that is %s is not retried and names nobody',
  (_, answer, ended) =>
    withDatabase('bff', async (database) => {
      const { access, createWorker, pass } = createLedger(database)
      const held = holdAnswer()
      const email = scriptChannel([held.send])
      const worker = createWorker({ email })
      await enqueueTo(
        database,
        [aMatch('t1', { destinations: [{ channel: 'email', destination: BOB }] })],
        access,
      )
      await worker.pass()
      await held.left
      await database.transaction((tx) => eraseDestinations(tx, ERASED))
      held.answer(answer)
      await worker.finish()
      pass(3_600_000)
      await worker.work()
      expect(email.sent).toHaveLength(1)
      const { items } = await listDeliveries(database, { limit: 2 })
      expect(items).toMatchObject([{ ...ended, excerpt: 'erased person', nextAttemptAt: null }])
    })(),
)

test(
  'after a person is erased, nothing new is sent by the row that had their address',
  withDatabase('bff', async (database) => {
    const { access, createWorker, pass } = createLedger(database)
    const email = scriptChannel([])
    const worker = createWorker({ email })
    const send = async (id: string, destination: string) => {
      await enqueueTo(database, [aMatch(id, { destinations: [{ channel: 'email', destination }] })], access)
      pass(3_600_000)
      await worker.work()
    }
    await send('t1', BOB)
    await database.transaction((tx) => eraseDestinations(tx, ERASED))
    await send('t2', BOB.toUpperCase())
    await send('t3', BOB)
    const { items } = await listDeliveries(database, { limit: 4 })
    expect(items.map(({ state, destination }) => [state, destination === 'erased person'])).toEqual([
      ['sent', false],
      ['sent', false],
      ['sent', true],
    ])
    expect((await database.query('select from delivery_destination')).rowCount).toBe(2)
  }),
)
