import { once } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { onTestFinished } from 'vitest'
import { COMPANY_CERTIFICATE } from '#test/fixtures/company-certificate.ts'

type Answer = (response: ServerResponse, body: string) => void

/** Whoever takes webhooks, as `vendor.test` of this machine, until the test is over. */
export async function startReceiver(answer: Answer) {
  const received: { path: string; headers: IncomingHttpHeaders; body: string }[] = []
  const sockets = new Set<Duplex>()
  const server = createServer(COMPANY_CERTIFICATE, async (request, response) => {
    const body = await readText(request)
    received.push({ path: request.url ?? '', headers: request.headers, body })
    answer(response, body)
  })
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {})))
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, COMPANY_CERTIFICATE.cert])
  onTestFinished(() => {
    setDefaultCACertificates(trusted)
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It has no port')
  return { received, port: address.port, origin: `https://vendor.test:${address.port}` }
}
