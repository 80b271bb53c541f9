import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createConnection, type Server, type Socket } from 'node:net'
import { createServer as createTlsEnd, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { onTestFinished } from 'vitest'
import { COMPANY_CERTIFICATE } from '#test/fixtures/company-certificate.ts'
import { SELF_SIGNED } from '#test/fixtures/self-signed.ts'

type Behaviour = {
  /** What it wants as `Proxy-Authorization`. */
  authorization?: string
  /** Answers this in the place of a tunnel. */
  status?: number
  /** Takes connections, and says nothing. */
  hangs?: boolean
  /** Spoken to in TLS, with a certificate that nobody trusts. */
  isUntrusted?: boolean
}

/**
 * A company's proxy, which leads every name to one server of this machine. A plain server's TLS ends here, with the
 * certificate that the names have; one of https gets every byte as it is.
 */
export async function startConnectProxy(target: string, behaviour: Behaviour = {}) {
  const requested: { authority: string; headers: IncomingMessage['headers'] }[] = []
  const seen: Buffer[] = []
  const { protocol, port: targetPort } = new URL(target)
  const port = protocol === 'https:' ? Number(targetPort) : await startTlsEnd(Number(targetPort))
  const server = behaviour.isUntrusted ? createTlsServer(SELF_SIGNED) : createServer()
  server.on('request', (request, response) => {
    requested.push({ authority: `${request.method} ${request.url}`, headers: request.headers })
    response.writeHead(500).end()
  })
  server.on('connect', (request: IncomingMessage, near: Socket) => {
    requested.push({ authority: request.url ?? '', headers: request.headers })
    near.on('error', () => {})
    if (behaviour.hangs) return
    const isKnown = request.headers['proxy-authorization'] === behaviour.authorization
    const status = behaviour.status ?? (isKnown ? 200 : 407)
    near.write(`HTTP/1.1 ${status} Said by the proxy\r\n\r\n`)
    if (status !== 200) return near.end()
    near.on('data', (bytes) => seen.push(bytes))
    join(near, createConnection(port, '127.0.0.1'))
  })
  const scheme = behaviour.isUntrusted ? 'https' : 'http'
  const origin = `${scheme}://localhost:${await listenUntilFinished(server)}`
  return { origin, requested, seen: () => Buffer.concat(seen).toString('latin1') }
}

async function startTlsEnd(targetPort: number): Promise<number> {
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, COMPANY_CERTIFICATE.cert])
  onTestFinished(() => setDefaultCACertificates(trusted))
  const end = createTlsEnd(COMPANY_CERTIFICATE, (near) =>
    join(near, createConnection(targetPort, '127.0.0.1')),
  )
  return listenUntilFinished(end)
}

function join(near: Socket, far: Socket): void {
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.on('error', () => {})
    from.on('close', () => to.destroy())
    from.pipe(to)
  }
}

async function listenUntilFinished(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It has no port')
  return address.port
}
