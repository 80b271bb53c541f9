import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json as readJson, text as readText } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export type StandInReply = {
  status?: number
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: unknown
  /** Sent as it is, in the place of `json`. */
  raw?: string | Uint8Array
  /** Takes the response over, for faults. */
  act?: (response: ServerResponse, request: IncomingMessage) => void
}

export type StandInCall = {
  method: string
  path: string
  query: Record<string, string>
  headers: IncomingMessage['headers']
  readBody(): Promise<unknown>
  readText(): Promise<string>
}

type Script = StandInReply | ((call: StandInCall) => StandInReply | Promise<StandInReply>)

export type StandInUpstream = {
  url: string
  /** Every request so far. */
  calls: StandInCall[]
  /** Plays a reply at a path from now on. */
  play(path: string, script: Script): void
  /** Connections that are open now. */
  countConnections(): Promise<number>
}

/** Until the test is over. */
export async function startStandInUpstream(): Promise<StandInUpstream> {
  const { close, ...standIn } = await openStandInUpstream()
  onTestFinished(close)
  return standIn
}

/** A vendor that answers as a test says, on a free port of this machine. */
export async function openStandInUpstream(): Promise<StandInUpstream & { close(): Promise<void> }> {
  const scripts = new Map<string, Script>()
  const calls: StandInCall[] = []
  const server = createServer((request, response) => {
    void answer(request, response)
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const call = {
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      readBody: () => readJson(request),
      readText: () => readText(request),
    }
    calls.push(call)
    const script = scripts.get(url.pathname) ?? { status: 404, json: { error: 'Not found' } }
    const {
      status = 200,
      headers,
      json,
      raw,
      act,
    } = typeof script === 'function' ? await script(call) : script
    if (act) act(response, request)
    else {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(raw ?? JSON.stringify(json))
    }
  }

  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The stand-in has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    play: (path, script) => scripts.set(path, script),
    countConnections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    async close() {
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}
