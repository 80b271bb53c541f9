import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls'
import { expect, onTestFinished } from 'vitest'
import type { Channel } from '#delivery/channels/channel.ts'
import { sendToWebhook, type WebhookOptions } from '#delivery/channels/web-channels.ts'
import { COMPANY_CERTIFICATE } from '#test/fixtures/company-certificate.ts'

type Answer = (response: ServerResponse, body: string) => void
type Expected = { authority: string; body: string; headers: IncomingHttpHeaders }
type Strictness = {
  /** What `Host` has to be, where clients do not name the port that it listens on. */
  authority?: string
}

const HOST = 'vendor.test'

/**
 * Receives webhooks, as `vendor.test` of this machine, until the test is over. A request that differs from curl's in more
 * than its body, its user agent and the signature fails the test.
 */
export async function startReceiver(answer: Answer, { authority }: Strictness = {}) {
  const received: { path: string; headers: IncomingHttpHeaders; body: string }[] = []
  const sockets = new Set<Duplex>()
  const server = createServer(COMPANY_CERTIFICATE, async (request, response) => {
    const body = await readText(request)
    expect
      .soft(readAsSent(request), 'request')
      .toEqual(asCurlSends({ authority: authority ?? `${HOST}:${port}`, body, headers: request.headers }))
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
  const { port } = address
  return { received, port, origin: `https://${HOST}:${port}` }
}

/** The channel by which webhooks reach the receivers of this machine. */
export function webhookChannel(secret: string): Channel {
  const options: WebhookOptions = {
    hosts: [HOST],
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    secretsOf: async () => [secret],
  }
  return { recognizesRepeats: true, hasPages: true, send: (attempt) => sendToWebhook(options, attempt) }
}

/** Recorded from `curl -H 'Content-Type: application/json' -H 'webhook-id: …' --data …`, version 7.88.1, but for its user agent. */
function asCurlSends({ authority, body, headers }: Expected) {
  const signature = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].flatMap((name) =>
    name in headers ? [[name, headers[name]]] : [],
  )
  return {
    servername: HOST,
    line: expect.stringMatching(/^POST \/(?!\/)/),
    headers: [
      ['Host', authority],
      ['User-Agent', 'Lantern'],
      ['Accept', '*/*'],
      ['Content-Type', 'application/json'],
      ...signature,
      ['Content-Length', String(Buffer.byteLength(body))],
    ],
  }
}

function readAsSent({ socket, method, url, rawHeaders }: IncomingMessage) {
  const headers = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1]]] : []))
  return {
    servername: socket instanceof TLSSocket ? socket.servername : null,
    line: `${method} ${url}`,
    headers,
  }
}
