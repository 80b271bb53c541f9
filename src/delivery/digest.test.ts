import { expect, test } from 'vitest'
import { aDigest } from '#test/fixtures/message-fixtures.ts'
import { aNotifiedThreat, createLedger, refused, scriptChannel } from '#test/support/delivery/deliveries.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { stopCause } from './causes.ts'
import { storeDestinations } from './destinations.ts'
import { enqueueDigest } from './enqueue.ts'
import { listDeliveries, listNotifiedThreats, summarizeCause } from './ledger.ts'

const CAUSE = { id: 'p1', name: 'Acme', isTeam: false }
const CONTENT = aDigest({ causes: [CAUSE] })
const DUE = new Date('2026-11-30T07:00:00.000Z')

async function startDigests(answers: Parameters<typeof scriptChannel>[0] = []) {
  const database = await takeDatabase('service')
  const { access, readNow, createWorker, pass } = createLedger(database)
  const email = scriptChannel(answers)
  const to = [{ channel: 'email', destination: 'ada@example.com' }]
  const find = await storeDestinations(database, to, access.secret)
  const destinationIds = to.map((one) => find(one).id)
  const digest = { dueAt: DUE, cause: CAUSE, content: CONTENT, destinationIds }
  return {
    database,
    email,
    readNow,
    pass,
    worker: createWorker({ email }),
    enqueue: (...ids: string[]) =>
      database.transaction((tx) => {
        const matches = ids.map((id) => ({ event: `threat:${id}`, threat: aNotifiedThreat(id) }))
        return enqueueDigest(tx, { ...digest, matches }, access)
      }),
    listed: async () => (await listDeliveries(database, { limit: 9, profileIds: [CAUSE.id] })).items,
  }
}

test('a digest is one message, and the ledger has its profile and its threats', async () => {
  const { database, email, readNow, worker, enqueue, listed } = await startDigests()
  await enqueue('one', 'two')
  await worker.work()
  expect(email.sent.map(({ message }) => message)).toMatchObject([aDigest({ causes: [CAUSE] })])
  const [line] = await listed()
  expect(line).toMatchObject({
    kind: 'digest',
    state: 'sent',
    causes: [{ id: 'p1', name: 'Acme' }],
    threatCount: 2,
  })
  expect(await listNotifiedThreats(database, line?.id ?? '')).toMatchObject([{ id: 'one' }, { id: 'two' }])
  expect((await summarizeCause(database, CAUSE.id, readNow)).lastSentAt).not.toBeNull()
  const others = await listDeliveries(database, { limit: 9, profileIds: ['other'] })
  expect(others.items).toEqual([])
})

test('an empty digest is sent, and ends with its profile', async () => {
  const { database, email, pass, worker, enqueue, listed } = await startDigests([refused()])
  await enqueue()
  await worker.work()
  expect(email.sent).toHaveLength(1)
  expect(await listed()).toMatchObject([{ state: 'retrying', threatCount: 0 }])
  await database.transaction((tx) => stopCause(tx, CAUSE, 'deleted'))
  pass(3_600_000)
  await worker.work()
  expect(email.sent).toHaveLength(1)
  expect(await listed()).toMatchObject([{ kind: 'digest', state: 'notSent', reason: 'deleted' }])
})
