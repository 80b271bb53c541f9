import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

type Fault = 'none' | 'hangs' | 'loses answers' | 'refuses'

/** Stands before a service until the test is over. Changes (PUT) meet the fault that the test sets, lists can be empty. */
export async function startFaultyService(origin: string) {
  const state: { fault: (path: string) => Fault; hasNoProfiles: boolean } = {
    fault: () => 'none',
    hasNoProfiles: false,
  }
  const held = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request
    const body = await buffer(request)
    const fault = method === 'PUT' ? state.fault(url) : 'none'
    if (fault === 'hangs') return void held.add(response)
    if (fault === 'refuses') return void response.writeHead(400).end('{"error":"No"}')
    const passed = await fetch(new URL(url, origin), {
      method,
      headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
      ...(body.length > 0 && { body }),
    })
    const isEmptied = state.hasNoProfiles && method === 'GET' && url.startsWith('/api/alert-profiles')
    const bytes = isEmptied ? '{"alert_profiles":[]}' : Buffer.from(await passed.arrayBuffer())
    if (fault === 'loses answers') return void response.destroy()
    const named = [...passed.headers].filter(([name]) => name.startsWith('x-') || name === 'content-type')
    response.writeHead(passed.status, Object.fromEntries(named)).end(bytes)
  }

  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    state,
    held,
    /** Breaks off what hangs. */
    release() {
      for (const response of held) response.destroy()
      held.clear()
    },
  }
}
