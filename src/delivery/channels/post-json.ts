import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import { createConnector, type ForwardProxy, ProxyError } from '#server/forward-proxy.ts'
import { unlessAborted } from '#server/unless-aborted.ts'
import type { Attempt } from './channel.ts'
import { describeErrorCode, UNNOTED } from './connection-fault.ts'

const CONNECT_MS = 10_000
const ANSWER_MAX_BYTES = 4_096
/** The rest of an answer may take this long once its status is known. */
const BODY_MS = 5_000

/** A person reads the reasons. They hold nothing of the address but its host. */
export type Posted =
  | { kind: 'answered'; status: number; retryAfter: string | undefined; body: string; isWhole: boolean }
  /** Not all of it went out: nothing has arrived. */
  | { kind: 'unsent'; reason: string }
  /** All was sent, and no answer came. */
  | { kind: 'unanswered'; reason: string }

type Post = {
  url: URL
  /** The address as the user wrote it. */
  written: string
  body: string
  headers: Readonly<Record<string, string>>
  /** A proxy looks names up itself. */
  lookup: LookupFunction | undefined
  proxy: ForwardProxy | undefined
  signal: AbortSignal
  onBody?: Attempt['onBody']
}

/** Sends JSON once, by a connection of its own. Redirects are not followed. Never throws. */
export async function postJson(post: Post): Promise<Posted> {
  const { url, signal } = post
  try {
    const socket = await openConnection(url, post)
    if (!(await isNoted(socket, post))) return { kind: 'unsent', reason: UNNOTED }
    return await exchange(socket, post)
  } catch (error) {
    return { kind: 'unsent', reason: reasonOf(error, signal, { isSent: false }) }
  }
}

function openConnection(
  { hostname, host, protocol, port }: URL,
  { lookup, proxy, signal }: Post,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const giveUp = () => reject(signal.reason)
  if (signal.aborted) giveUp()
  signal.addEventListener('abort', giveUp, { once: true })
  createConnector({ timeoutMs: CONNECT_MS, lookup, proxy })(
    { hostname, host, protocol, port },
    (error, socket) => {
      signal.removeEventListener('abort', giveUp)
      if (error) reject(error)
      else if (signal.aborted) socket.destroy()
      else resolve(socket)
    },
  )
  return promise
}

/** Returns true if the message may leave. Whoever writes to the connection finds it failed. */
async function isNoted(socket: Socket, { onBody, signal }: Post): Promise<boolean> {
  const ignore = () => {}
  socket.on('error', ignore)
  try {
    await unlessAborted(Promise.resolve(onBody?.()), signal, () => signal.reason)
    return true
  } catch (error) {
    socket.destroy()
    if (signal.aborted) throw error
    return false
  } finally {
    socket.off('error', ignore)
  }
}

function exchange(socket: Socket, { url, written, body, headers, signal }: Post): Promise<Posted> {
  const bytes = Buffer.from(body)
  const { promise, resolve } = Promise.withResolvers<Posted>()
  const request = httpsRequest(url, {
    method: 'POST',
    path: targetOf(url, written),
    // The headers match those of curl, with which people try destinations. Without an agent, Node takes 80 for the usual
    // port.
    headers: {
      Host: url.host,
      'User-Agent': 'Lantern',
      Accept: '*/*',
      'Content-Type': 'application/json',
      ...headers,
      'Content-Length': bytes.byteLength,
    },
    signal,
    createConnection: () => socket,
  })
  request.removeHeader('connection')
  let isSent = false
  const fail = (reason: string) => resolve({ kind: isSent ? 'unanswered' : 'unsent', reason })
  request.once('finish', () => {
    isSent = true
  })
  request.once('response', async (response) => {
    const { statusCode: status = 0, headers: answered } = response
    const body = await readStart(response)
    request.destroy()
    resolve({
      kind: 'answered',
      status,
      retryAfter: answered['retry-after'],
      body,
      isWhole: response.complete,
    })
  })
  request.on('error', (error) => fail(reasonOf(error, signal, { isSent })))
  request.once('close', () => fail('Connection closed before an answer came.'))
  request.end(bytes)
  return promise
}

const AUTHORITY = /^https:\/\/[^/?#]*/i
/** RFC 3986 allows these characters. The segments `.` and `..` are excluded. */
const PLAIN_TARGET = /^\/(?!(?:[^?]*\/)?\.\.?(?:[/?]|$))[\w\-.~!$&'()*+,;=:@/?%]*$/

/**
 * Path and query as they were written, where they hold only what such may hold: URL encodes `'` in a query, and drops `?`
 * before an empty one. A signature in the address can depend on that.
 */
function targetOf(url: URL, written: string): string {
  const rest = written.replace(AUTHORITY, '').replace(/#.*$/, '')
  const target = rest.startsWith('/') ? rest : `/${rest}`
  return PLAIN_TARGET.test(target) ? target : url.pathname + url.search
}

/** Reads an answer within a limit of bytes and seconds. Its status is known, whatever happens to the rest. */
function readStart(response: IncomingMessage): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const chunks: Buffer[] = []
  let size = 0
  const end = () => {
    clearTimeout(timer)
    resolve(Buffer.concat(chunks).toString('utf8', 0, ANSWER_MAX_BYTES))
  }
  const timer = setTimeout(end, BODY_MS)
  response.on('data', (chunk: Buffer) => {
    if (size > ANSWER_MAX_BYTES) return
    chunks.push(chunk)
    size += chunk.byteLength
    if (size > ANSWER_MAX_BYTES) end()
  })
  response.on('error', end)
  response.once('close', end)
  return promise
}

const UNTRUSTED = /CERT|SELF_SIGNED|VERIFY|ISSUER/

/** Words for what went wrong. Messages of libraries can hold the whole address, and are left out. */
function reasonOf(error: unknown, signal: AbortSignal, { isSent }: { isSent: boolean }): string {
  if (signal.aborted) return isSent ? 'Timed out waiting for the answer.' : 'Connection timed out.'
  if (error instanceof ProxyError) return `${error.message}.`
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'Its TLS certificate is for another host.'
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return 'Its TLS certificate has expired, or is not valid yet.'
  }
  if (UNTRUSTED.test(code)) {
    return `Its TLS certificate is not trusted (${code}): NODE_EXTRA_CA_CERTS names an authority of your own.`
  }
  const fault = describeErrorCode(code)
  return `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`
}
