import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { createKey } from './keys/create-key.ts'
import { startService } from './start-service.ts'

const HOST = '127.0.0.1'
const FULL = { account: 'acme', name: 'test', earlierPlan: 'enterprise', v1Plan: 'defend' } as const

async function start(database: OpenDatabase) {
  const port = await findFreePort()
  const publicUrl = `http://${HOST}:${port}`
  return startService({ database, host: HOST, port, publicUrl, secret: 'secret', log: () => {} })
}

test(
  'answers over HTTP until it is closed',
  withDatabase('service', async (database) => {
    const { token } = await createKey(database, { account: 'acme', name: 'test', v1Plan: 'defend' })
    const { url, close } = await start(database)
    const headers = { authorization: `Bearer ${token}` }

    expect((await fetch(`${url}/api/v1/threats`, { headers })).status).toBe(200)
    expect((await fetch(`${url}/api/v1/threats`)).status).toBe(401)
    expect((await fetch(`${url}/api/v1/threats`, { method: 'HEAD', headers })).status).toBe(200)
    await close()
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  }),
)

const WRONG_METHODS: [method: string, path: string, allow: string][] = [
  ['POST', '/api/feed', 'GET, HEAD'],
  ['DELETE', '/api/feed/some-id', 'GET, HEAD'],
  ['PUT', '/api/alerts', 'GET, HEAD, POST'],
  ['PATCH', '/api/metrics', 'GET, HEAD'],
  ['OPTIONS', '/api/v1/threats', 'GET, HEAD'],
  ['POST', '/api/v1/countries/DE', 'GET, HEAD'],
]
test(
  'answers 405 to a wrong method, with a body or without one',
  withDatabase('service', async (database) => {
    const { token } = await createKey(database, FULL)
    const { url, close } = await start(database)
    for (const [method, path, allow] of WRONG_METHODS) {
      for (const body of [undefined, '{}']) {
        const headers = { authorization: `Bearer ${token}` }
        const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body }) })
        expect.soft(answer.status, `${method} ${path}`).toBe(405)
        expect.soft(answer.headers.get('allow')).toBe(allow)
        await answer.body?.cancel()
      }
    }
    await close()
  }),
)

test(
  'reads a body that comes in chunks, up to 64 KiB',
  withDatabase('service', async (database) => {
    const { token } = await createKey(database, FULL)
    const { url, close } = await start(database)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const post = async (text: string) => {
      // A stream has no known length: it is sent in chunks.
      const init = { method: 'POST', headers, body: new Blob([text]).stream(), duplex: 'half' }
      const answer = await fetch(`${url}/api/alerts`, init)
      await answer.body?.cancel()
      return answer.status
    }
    expect(await post('{"name":"Brands","keywords":["acme"]}')).toBe(201)
    expect(await post('{"name":')).toBe(400)
    expect(await post('')).toBe(400)
    expect(await post(`"${'x'.repeat(65_536)}"`)).toBe(413)
    expect(await post(`"${'x'.repeat(4_000_000)}"`)).toBe(413)
    const answer = await fetch(`${url}/api/alerts`, { method: 'POST', headers, body: 'x'.repeat(65_537) })
    expect(answer.status).toBe(413)
    expect(await answer.json()).toEqual({ error: 'The body must be 65536 bytes or fewer' })
    await close()
  }),
)

test(
  'answers malformed HTTP with an error body, too',
  withDatabase('service', async (database) => {
    const { url, close } = await start(database)
    const answer = await sendRaw(url, 'GET /api/feed HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n')
    expect(answer).toContain('HTTP/1.1 400 ')
    expect(answer.toLowerCase()).toContain('x-ratelimit-limit: 0')
    expect(answer).toContain('{"error":"Malformed request"}')
    await close()
  }),
)

test(
  'finishes the requests under way before it closes',
  withDatabase('service', async (database) => {
    const begun = Promise.withResolvers<void>()
    const goesOn = Promise.withResolvers<void>()
    const query: Database['query'] = async (text, values) => {
      if (text === 'select 1') {
        begun.resolve()
        await goesOn.promise
      }
      return database.query(text, values)
    }
    const { url, close } = await start({ ...database, query })
    const answer = fetch(`${url}/readyz`)
    await begun.promise
    const closed = close()
    goesOn.resolve()
    expect((await answer).status).toBe(200)
    await closed
  }),
)

test(
  'closes only after every handler has ended, even if its client has left',
  withDatabase('service', async (database) => {
    const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>()
    const { promise: requested, resolve: ask } = Promise.withResolvers<void>()
    const query: Database['query'] = async (...statement) => {
      ask()
      await goesOn
      return database.query(...statement)
    }
    const { url, close } = await start({ ...database, query })
    const left = new AbortController()
    const answer = fetch(`${url}/api/feed`, {
      headers: { authorization: 'Bearer nobody' },
      signal: left.signal,
    })
    await requested
    left.abort()
    await expect(answer).rejects.toThrow()

    let isClosed = false
    const closed = close().then(() => {
      isClosed = true
    })
    await sleep(300)
    expect(isClosed).toBe(false)
    goOn()
    await closed
  }),
)

test(
  'says when its port is taken',
  withDatabase('service', async (database) => {
    const { url, close } = await start(database)
    const port = Number(new URL(url).port)
    await expect(
      startService({ database, host: HOST, port, publicUrl: url, secret: 'secret', log: () => {} }),
    ).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await close()
  }),
)

function sendRaw(url: string, request: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), HOST)
  socket.write(request)
  return text(socket)
}
