import { once } from 'node:events'
import { BlockList, createConnection } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createTestBff } from '#test/support/ask-bff.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { defineRoute } from './route.ts'
import { createBffServer, drain } from './server.ts'

const QUIET_MS = 150
const TEXT = 'lantern '.repeat(300)

/** A signed-in browser's connection at a real server, byte by byte; and how many requests the server has parsed. */
async function openConnection(bff: Awaited<ReturnType<typeof createTestBff>>) {
  await bff.signIn()
  let parsed = 0
  const server = createBffServer({
    app: bff.app,
    knownRequests: bff.knownRequests,
    commonHeaders: {},
    trustedProxies: new BlockList(),
    hosts: new Set(['localhost']),
    fastLane(request, response) {
      parsed += 1
      return bff.fastLane(request, response)
    },
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const socket = createConnection({
    host: '127.0.0.1',
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
  })
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  const cookie = [...bff.cookies].map((pair) => pair.join('=')).join('; ')
  const head = (more = '') =>
    `GET /bff/feed HTTP/1.1\r\nHost: localhost\r\nX-Lantern: 1\r\nCookie: ${cookie}\r\n${more}\r\n`
  return {
    head,
    cookie,
    countParsed: () => parsed,
    /** Sends bytes and gives what came back before it went quiet, without the time of day. */
    async exchange(bytes: string): Promise<string> {
      received = ''
      socket.write(bytes, 'latin1')
      for (let before = -1; received.length > before || received === ''; await sleep(QUIET_MS))
        before = received.length
      return received.replaceAll(/^Date: .*$/gm, 'Date: now')
    },
    /** Sends bytes that need no answer, and gives what came back all the same. */
    async send(bytes: string): Promise<string> {
      received = ''
      socket.write(bytes, 'latin1')
      await sleep(QUIET_MS)
      return received
    },
    async close() {
      socket.destroy()
      await drain(server)
    },
  }
}

type Connection = Awaited<ReturnType<typeof openConnection>> & Awaited<ReturnType<typeof createTestBff>>

function withConnection(run: (connection: Connection) => Promise<void>) {
  return withDatabase('bff', async (database) => {
    const bff = await createTestBff(database, {
      routes: [
        defineRoute({
          method: 'GET',
          path: '/bff/feed',
          access: 'viewer',
          cache: 'answer',
          answer: async () => ({ json: { text: TEXT }, freshForMs: 10_000 }),
        }),
        defineRoute({
          method: 'POST',
          path: '/bff/note',
          access: 'viewer',
          body: z.object({ note: z.string() }),
          cache: 'none',
          answer: async ({ body }) => ({ json: { length: body.note.length } }),
        }),
      ],
    })
    const connection = await openConnection(bff)
    try {
      await run({ ...bff, ...connection })
    } finally {
      await connection.close()
    }
  })
}

const countAnswers = (received: string) => received.split('HTTP/1.1 ').length - 1

test(
  'answers the same bytes with the same bytes, without parsing them again',
  withConnection(async ({ head, exchange, countParsed }) => {
    await exchange(head())
    const parsedOnce = await exchange(head())
    const before = countParsed()

    expect(await exchange(head())).toBe(parsedOnce)
    expect(parsedOnce).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(countParsed()).toBe(before)
  }),
)

test(
  'asks each time whether session and answer still stand',
  withConnection(async ({ head, exchange, sessions, cookies, wait, countParsed }) => {
    await exchange(head())
    await exchange(head())
    const before = countParsed()
    wait(10_001)
    expect(await exchange(head())).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(countParsed()).toBe(before + 1)

    await exchange(head())
    await sessions.end(cookies.get('lantern_sid') ?? '')
    expect(await exchange(head())).toMatch(/^HTTP\/1\.1 401 /)
  }),
)

test(
  'takes other headers for another request',
  withConnection(async ({ head, exchange }) => {
    await exchange(head())
    await exchange(head())

    expect(await exchange(head('Origin: http://evil.example\r\n'))).toMatch(/^HTTP\/1\.1 403 /)
    expect(await exchange(head('X-Lantern: 2\r\n'))).toMatch(/^HTTP\/1\.1 403 /)
  }),
)

test(
  'a body that looks like a known request is a body',
  withConnection(async ({ head, exchange, cookie }) => {
    await exchange(head())
    await exchange(head())
    const note = JSON.stringify({ note: 'x'.repeat(40) })
    const post = `POST /bff/note HTTP/1.1\r\nHost: localhost\r\nX-Lantern: 1\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\n`

    const length = note.length + head().length
    const answered = exchange(`${post}Content-Length: ${length}\r\n\r\n${note}`)
    await sleep(QUIET_MS)
    const received = await Promise.race([answered, exchange(head())])
    expect(countAnswers(received)).toBe(1)
    expect(received).toMatch(/^HTTP\/1\.1 400 /)
  }),
)

test.each(['Content-Length: 4000', 'Transfer-Encoding: chunked'])(
  'a known head that tells of a body is no request where that body is due: %s',
  async (told) => {
    await withConnection(async ({ head, exchange, send }) => {
      await exchange(head())
      const opening = head(`${told}\r\n`)
      expect(countAnswers(await exchange(opening))).toBe(1)

      expect(await send(opening)).not.toMatch(/^HTTP\/1\.1 200 /)
      expect(await send(head())).not.toMatch(/^HTTP\/1\.1 200 /)
    })()
  },
)

test(
  'answers requests that arrive together or in pieces, each once and in their order',
  withConnection(async ({ head, exchange }) => {
    await exchange(head())
    const [one, other] = [head(), head('If-None-Match: *\r\n')]

    const together = await exchange(one + other + one)
    expect([...together.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '200',
      '304',
      '200',
    ])
    const [first, second] = [
      exchange(one.slice(0, 30)),
      sleep(QUIET_MS).then(() => exchange(one.slice(30) + other)),
    ]
    const received = await Promise.race([first, second])
    expect(countAnswers(received)).toBe(2)
  }),
)
