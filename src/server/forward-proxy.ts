import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import { Agent, buildConnector, request as sendBy } from 'undici'
import { isLoopbackHost } from '#contract/loopback.ts'
import { bareHost } from './public-host.ts'

/** The proxy of a company's network, through which its machines reach others. */
export type ForwardProxy = {
  origin: string
  /** The credentials for the proxy; null if it needs none. */
  authorization: string | null
  /** These hosts are reached without it: each with its subdomains, with or without a port; `*` is every host. */
  except: readonly string[]
}

export type ProxyFault =
  | 'proxy_unreachable'
  | 'proxy_untrusted'
  | 'proxy_unauthorized'
  | 'proxy_refused'
  | 'proxy_failed'

/** No way through the proxy. Names it without its credentials. */
export class ProxyError extends Error {
  readonly code: ProxyFault

  constructor(code: ProxyFault, { origin }: ForwardProxy, what: string) {
    super(`The proxy ${origin} of HTTPS_PROXY ${what}`)
    this.name = 'ProxyError'
    this.code = code
  }
}

type Target = { hostname: string; port: string; protocol: string }
type ConnectorOptions = {
  timeoutMs: number
  lookup?: LookupFunction | undefined
  proxy?: ForwardProxy | undefined
}

/** Returns true if a connection goes through the proxy. A connection to this machine never does, nor does plain http. */
export function isProxied(proxy: ForwardProxy | undefined, target: Target): boolean {
  const { hostname, port, protocol } = target
  if (!proxy || protocol !== 'https:' || isLoopbackHost(hostname)) return false
  const host = bareHost(target)
  return !proxy.except.some((entry) => {
    const [, name = '', only] =
      /^\[?(.*?)\]?(?::(\d+))?$/.exec(/^[^[]*:.*:/.test(entry) ? `[${entry}]` : entry) ?? []
    const suffix = name.replace(/^\*?\./, '')
    const isNamed = suffix === '*' || host === suffix || host.endsWith(`.${suffix}`)
    return isNamed && (only === undefined || only === (port || '443'))
  })
}

/** Opens connections through a tunnel of the proxy, which sees a host's name and none of the content. */
export function createConnector({ timeoutMs, lookup, proxy }: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false, ...(lookup && { lookup }) })
  return (options, done) => {
    // RFC 6066, section 3: the name of a host in TLS is without the dot at its end.
    const target = options.hostname.endsWith('.')
      ? { ...options, servername: options.hostname.slice(0, -1) }
      : options
    if (!proxy || !isProxied(proxy, target)) return connect(target, done)
    openTunnel(proxy, target, timeoutMs).then(
      (httpSocket) => connect({ ...target, httpSocket }, done),
      (error: Error) => done(error, null),
    )
  }
}

type RequestOptions = {
  method: string
  headers: Headers | Record<string, string>
  body?: unknown
  signal?: AbortSignal | undefined
}

/** Implements the part of `fetch` that clients with few and small answers need. Redirects are not followed. */
export function createProxiedFetch(
  proxy: ForwardProxy,
  timeoutMs: number,
): (url: string, options: RequestOptions) => Promise<Response> {
  const dispatcher = new Agent({ connect: createConnector({ timeoutMs, proxy }) })
  return async (url, { method, headers, body, signal }) => {
    const answer = await sendBy(url, {
      dispatcher,
      signal: signal ?? null,
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      body: body instanceof URLSearchParams ? body.toString() : null,
    })
    const answered = new Headers()
    for (const [name, values] of Object.entries(answer.headers)) {
      for (const value of [values ?? []].flat()) answered.append(name, value)
    }
    const bytes = await answer.body.arrayBuffer()
    return new Response(bytes.byteLength === 0 ? null : bytes, {
      status: answer.statusCode,
      headers: answered,
    })
  }
}

function openTunnel(proxy: ForwardProxy, { hostname, port }: Target, timeoutMs: number): Promise<Socket> {
  const url = new URL(proxy.origin)
  const authority = `${hostname}:${port || 443}`
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: 'CONNECT',
      path: authority,
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        host: authority,
        ...(proxy.authorization && { 'proxy-authorization': proxy.authorization }),
      },
    })
    request.once('connect', ({ statusCode = 0 }: IncomingMessage, socket: Socket) => {
      const refusal = refusalOf(statusCode)
      if (refusal === null) return resolve(socket)
      socket.destroy()
      reject(new ProxyError(refusal, proxy, `answered ${statusCode} for ${authority}`))
    })
    request.once('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? error.name
      if (/CERT|SELF_SIGNED|VERIFY/.test(code)) {
        reject(new ProxyError('proxy_untrusted', proxy, `has a certificate that is not trusted (${code})`))
      } else {
        const what = error.name === 'AbortError' ? 'does not answer' : `cannot be reached (${code})`
        reject(new ProxyError('proxy_unreachable', proxy, what))
      }
    })
    request.end()
  })
}

/** Null where the tunnel stands. */
function refusalOf(status: number): ProxyFault | null {
  if (status >= 200 && status < 300) return null
  if (status === 407) return 'proxy_unauthorized'
  return status >= 500 ? 'proxy_failed' : 'proxy_refused'
}
