import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { aMatch, aNotifiedThreat, createLedger, enqueueTo } from '#test/support/delivery/deliveries.ts'
import { startReceiver, webhookChannel } from '#test/support/stand-in-receiver.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { createEmailChannel } from './channels/email-channel.ts'
import { createWebhookSecret } from './channels/sign-webhook.ts'
import { countDeliveries } from './ledger.ts'

/** A mail server that accepts each connection and says nothing. */
async function startHungServer() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket.on('error', () => {})))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It listens on a port')
  const from = { name: 'Lantern', address: 'lantern@corp.example' }
  const { port } = address
  return {
    sockets,
    mail: { server: { host: '127.0.0.1', port, tls: 'none', credentials: null }, from } as const,
  }
}

const matchTo = (id: string, channel: string, destination: string, severity: 'critical' | 'high') =>
  aMatch(id, { threat: aNotifiedThreat(id, { severity }), destinations: [{ channel, destination }] })

test('a critical webhook arrives while 200 emails wait for a mail server that hangs', async () => {
  const database = await takeDatabase('service')
  const { access, createWorker } = createLedger(database)
  const { mail, sockets } = await startHungServer()
  const { origin, received } = await startReceiver((response) => void response.writeHead(204).end())
  const worker = createWorker({
    email: createEmailChannel({ mail, domains: [] }),
    webhook: webhookChannel(createWebhookSecret()),
  })
  const mails = Array.from({ length: 200 }, (_, at) =>
    matchTo(`mail-${at}`, 'email', `user-${at}@corp.example`, 'critical'),
  )
  await enqueueTo(database, mails, access)
  // They are under way, as many as may be at once, and the others are due before the webhook is.
  await worker.pass()
  await expect.poll(() => sockets.size).toBe(8)
  await enqueueTo(database, [matchTo('hook', 'webhook', `${origin}/in`, 'critical')], access)
  // The worker polls once, and no time passes: nothing waits.
  await worker.pass()
  await expect.poll(() => received.length).toBe(1)
  expect(sockets.size).toBe(8)
  await expect.poll(() => countDeliveries(database)).toMatchObject({ sent: 1, sending: 8, queued: 192 })
})
