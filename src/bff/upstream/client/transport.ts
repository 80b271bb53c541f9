import type { LookupFunction } from 'node:net'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { errors, Pool } from 'undici'
import { createConnector, type ForwardProxy, ProxyError } from '#server/forward-proxy.ts'
import { type ConnectionFault, connectionFaultOf } from './connection-fault.ts'
import type { ReadHeader } from './rate-facts.ts'

export type Timeouts = { connectMs: number; headersMs: number; idleMs: number; totalMs: number }

/** The whole is short enough for a browser that waits, and for the browser's own timer to be the longer one. */
export const TIMEOUTS: Timeouts = { connectMs: 5_000, headersMs: 10_000, idleMs: 5_000, totalMs: 11_000 }

const CONNECTIONS_MAX = 16
/** Failures before a connection stood: the request was not sent. */
const UNSENT_CODES = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])
const TIMEOUT_CODES = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

/** The exchange broke. Carries no byte of the answer and nothing of the request. */
export class TransportError extends Error {
  readonly kind: 'unavailable' | 'timeout' | 'unreadable' | 'web_page'
  /** False where the request was certainly not sent. */
  readonly mayHaveArrived: boolean
  /** No connection was made, and an operator can correct that. */
  readonly connectionFault: ConnectionFault | null

  constructor(kind: TransportError['kind'], reason: string, code = reason) {
    super(reason)
    this.name = 'TransportError'
    this.kind = kind
    this.connectionFault = connectionFaultOf(code)
    this.mayHaveArrived = !UNSENT_CODES.has(code) && this.connectionFault === null
  }
}

export type TransportResponse = { status: number; header: ReadHeader; body: Readable }

type PoolOptions = {
  timeouts: Timeouts
  connections?: number
  lookup?: LookupFunction | undefined
  proxy?: ForwardProxy | undefined
}

/** Connections to one origin. Redirects are not followed; HTTP/1.1 only, where an abort ends the socket. */
export function createPool(origin: string, options: PoolOptions): Pool {
  const { timeouts, connections = CONNECTIONS_MAX, lookup, proxy } = options
  return new Pool(origin, {
    connections,
    allowH2: false,
    connectTimeout: timeouts.connectMs,
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.idleMs,
    connect: createConnector({ timeoutMs: timeouts.connectMs, lookup, proxy }),
  })
}

export type TransportRequest = {
  path: string
  headers: Record<string, string>
  /** The default depends on the body. */
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: string | null
  signal: AbortSignal
}

/** Sends a request and returns at its answer's head. The body must be read or discarded. */
export async function send(
  pool: Pool,
  { path, headers, body = null, method = body === null ? 'GET' : 'POST', signal }: TransportRequest,
): Promise<TransportResponse> {
  try {
    const response = await pool.request({
      method,
      path,
      headers,
      body,
      signal,
    })
    const header: ReadHeader = (name) => [response.headers[name.toLowerCase()]].flat().at(0)
    return { status: response.statusCode, header, body: response.body }
  } catch (error) {
    throw toTransportError(error, 'unavailable')
  }
}

/** Ends the exchange, and its socket, without reading on. */
export function discard({ body }: TransportResponse): void {
  body.on('error', () => {})
  body.destroy()
}

/** The decoded body. Stops at the first byte past the cap, counted after decompression. */
export async function readBody(response: TransportResponse, maxBytes: number): Promise<Buffer> {
  try {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of decode(response)) {
      size += chunk.byteLength
      if (size > maxBytes) throw new TransportError('unreadable', `body of more than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks, size)
  } catch (error) {
    throw toTransportError(error, 'unreadable')
  } finally {
    discard(response)
  }
}

function decode({ header, body }: TransportResponse): AsyncIterable<Buffer> {
  const coding = header('content-encoding')?.trim().toLowerCase() ?? ''
  if (coding === '' || coding === 'identity') return body
  const decoder = createDecoder(coding)
  // The loop over the decoder meets every error of either stream.
  return pipeline(body, decoder, () => {})
}

function createDecoder(coding: string): Transform {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip()
  if (coding === 'br') return createBrotliDecompress()
  throw new TransportError('unreadable', 'unknown content encoding')
}

/** Keeps what went wrong and drops the rest: errors of the libraries can hold bytes of the answer. */
function toTransportError(error: unknown, otherwise: TransportError['kind']): TransportError {
  if (error instanceof TransportError) return error
  if (error instanceof ProxyError) return new TransportError('unavailable', error.message, error.code)
  if (!(error instanceof Error)) return new TransportError(otherwise, 'unknown failure')
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  if (TIMEOUT_CODES.has(code) || error.name === 'TimeoutError') return new TransportError('timeout', code)
  const isGarbage = error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError
  return new TransportError(isGarbage ? 'unreadable' : otherwise, code)
}
