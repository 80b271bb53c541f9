import { expect, test } from 'vitest'
import { aMatch, createLedger, enqueueTo } from '#test/support/delivery/deliveries.ts'
import { killedAt } from '#test/support/delivery/killed-at.ts'
import { startMailServer } from '#test/support/delivery/stand-in-mail-server.ts'
import { startReceiver, webhookChannel } from '#test/support/stand-in-receiver.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { createEmailChannel } from './channels/email-channel.ts'
import { createWebhookSecret } from './channels/sign-webhook.ts'
import { listDeliveries } from './ledger.ts'

/** Receivers of this machine that know what has arrived, and channels to them. */
async function openReceivers() {
  const { mail, mails } = await startMailServer()
  const { origin, received } = await startReceiver((response) => void response.writeHead(204).end())
  const secret = createWebhookSecret()
  const channels = {
    email: createEmailChannel({ mail, domains: [] }),
    webhook: webhookChannel(secret),
  }
  const destinations = { email: 'ada@corp.example', webhook: `${origin}/in` }
  const arrived = {
    email: () => mails.map(({ source }) => /^Message-ID: (.+)$/im.exec(source)?.[1]),
    webhook: () => received.map(({ headers }) => headers['webhook-id']),
  }
  return { channels, destinations, arrived }
}

const MARK = 'update delivery_attempt set body_from'
const OUTCOME = 'set ended_at'

test.each([
  ['email', 'before its message leaves', MARK, { state: 'sent', arrivals: 1 }],
  ['webhook', 'before its message leaves', MARK, { state: 'sent', arrivals: 1 }],
  // Nobody can tell that it arrived, so a person decides.
  ['email', 'after it was taken', OUTCOME, { state: 'unclear', arrivals: 1 }],
  // The receiver leaves out what it knows by its id.
  ['webhook', 'after it was taken', OUTCOME, { state: 'sent', arrivals: 2 }],
] as const)('%s of a worker that is killed %s', async (channel, _when, statement, expected) => {
  const database = await takeDatabase('service')
  const { access, createWorker, pass } = createLedger(database)
  const { channels, destinations, arrived } = await openReceivers()
  const to = [{ channel, destination: destinations[channel] }]
  await enqueueTo(database, [aMatch('t1', { destinations: to })], access)
  const killed = Promise.withResolvers<void>()
  const dying = killedAt(database, statement, killed.resolve)
  // It dies in the middle of its pass as well, which then never ends.
  void createWorker(channels, { database: dying }).pass()
  await killed.promise
  expect(arrived[channel]()).toHaveLength(statement === MARK ? 0 : 1)

  const next = createWorker(channels)
  for (const ms of statement === MARK ? [10_001, 1_000] : [60_001, 1_000, 60_000]) {
    pass(ms)
    await next.work()
  }
  const ids = arrived[channel]()
  expect([ids.length, new Set(ids).size]).toEqual([expected.arrivals, 1])
  expect((await listDeliveries(database, { limit: 9 })).items).toMatchObject([{ state: expected.state }])
})
