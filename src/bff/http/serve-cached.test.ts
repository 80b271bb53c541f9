import { once } from 'node:events'
import { BlockList } from 'node:net'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { createTestBff } from '#test/support/ask-bff.ts'
import { defineTestRoute } from '#test/support/define-test-route.ts'
import { type HttpAnswer, sendHttp } from '#test/support/send-http.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { createBffServer } from './server.ts'

const FRESH_MS = 10_000

/** A signed-in browser at a real server, whose cached answers can be switched off and are counted. */
async function openServer(database: Database) {
  let calls = 0
  const bff = await createTestBff(database, {
    routes: [
      defineTestRoute({
        method: 'GET',
        path: '/bff/feed',
        access: 'viewer',
        query: z.object({ q: z.optional(z.string()) }),
        cache: 'answer',
        async answer({ query, session }) {
          calls += 1
          const text = `${query.q} ${'é lantern '.repeat(300)}`
          return { json: { call: calls, role: session.user.role, text }, freshForMs: FRESH_MS }
        },
      }),
    ],
  })
  await bff.signIn()
  const cached = { isOpen: true, served: 0 }
  const { server, drain } = createBffServer({
    app: bff.app,
    refusalHeaders: {},
    isDraining: () => false,
    log: { info() {}, warn() {}, error() {} },
    trustedProxies: new BlockList(),
    hosts: new Set(['localhost']),
    serveCached(request, response) {
      const isServed = cached.isOpen && bff.serveCached(request, response)
      if (isServed) cached.served += 1
      return isServed
    },
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const cookie = [...bff.cookies].map((pair) => pair.join('=')).join('; ')
  return {
    ...bff,
    cached,
    countCalls: () => calls,
    close: drain,
    ask: (headers: Record<string, string> = {}, path = '/bff/feed') =>
      sendHttp(`http://127.0.0.1:${port}${path}`, {
        headers: { host: 'localhost', 'x-lantern': '1', cookie, ...headers },
      }),
  }
}

function withServer(
  run: (cached: Awaited<ReturnType<typeof openServer>>, database: Database) => Promise<void>,
) {
  return withDatabase('bff', async (database) => {
    const cached = await openServer(database)
    try {
      await run(cached, database)
    } finally {
      await cached.close()
    }
  })
}

function withoutDate({ headers: { date, ...headers }, ...answer }: HttpAnswer) {
  return { ...answer, headers }
}

test(
  'answers byte for byte what the app answers, in every coding and for what the browser has',
  withServer(async ({ ask, cached, countCalls }) => {
    const etag = (await ask()).headers.etag ?? ''
    const kinds: Record<string, string>[] = [
      {},
      { 'accept-encoding': 'identity' },
      { 'accept-encoding': 'gzip, deflate, br' },
      { 'accept-encoding': 'gzip' },
      { 'if-none-match': etag },
      { 'if-none-match': `"other", ${etag}`, 'accept-encoding': 'br' },
      { 'if-none-match': 'W/"other"' },
    ]
    for (const headers of kinds) {
      cached.isOpen = false
      const slow = await ask(headers)
      cached.isOpen = true
      const servedBefore = cached.served
      const fast = await ask(headers)

      expect(cached.served, JSON.stringify(headers)).toBe(servedBefore + 1)
      expect(withoutDate(fast)).toEqual(withoutDate(slow))
    }
    expect(countCalls()).toBe(1)
  }),
)

test(
  'serves no request that the app would refuse',
  withServer(async ({ ask, cached }) => {
    await ask()
    await ask()
    expect(cached.served).toBe(1)

    const strangers: Record<string, string>[] = [
      { 'x-lantern': '' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'http://evil.example' },
      { cookie: '' },
      { cookie: `lantern_sid=${'A'.repeat(43)}` },
      { host: 'evil.example' },
    ]
    const statuses = await Promise.all(strangers.map(async (headers) => (await ask(headers)).status))
    expect(statuses).toEqual([403, 403, 403, 401, 401, 421])
    expect(cached.served).toBe(1)
  }),
)

test(
  'ends with the session: sign-out and a change of role reach it at once',
  withServer(async ({ ask, cached, sessions, cookies }, database) => {
    await ask()
    await database.query(`update account set role = 'viewer'`)
    sessions.forgetAll()
    expect(JSON.parse((await ask()).body.toString())).toMatchObject({ role: 'viewer' })
    expect(cached.served).toBe(0)

    await ask()
    expect(cached.served).toBe(1)
    await sessions.end(cookies.get('lantern_sid') ?? '')
    expect((await ask()).status).toBe(401)
    expect(cached.served).toBe(1)
  }),
)

test(
  'a session that ends while it is being looked up is not remembered',
  withDatabase('bff', async (database) => {
    const requested = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    let isPaused = false
    const bff = await createTestBff({
      transaction: database.transaction,
      async query(text, values) {
        const answer = await database.query(text, values)
        if (isPaused && text.includes('from session join account')) {
          requested.resolve()
          await answered.promise
        }
        return answer
      },
    })
    await bff.signIn()
    const token = bff.cookies.get('lantern_sid') ?? ''
    bff.sessions.forgetAll()
    isPaused = true
    const finding = bff.sessions.find(token, { isBackground: false })
    await requested.promise
    await bff.sessions.end(token)
    answered.resolve()
    await finding

    expect(bff.sessions.peek(token, { isBackground: false })).toBeUndefined()
  }),
)

test(
  'goes no further than the answer is fresh',
  withServer(async ({ ask, wait, countCalls }) => {
    await ask()
    wait(FRESH_MS - 1)
    await ask()
    expect(countCalls()).toBe(1)
    wait(1)
    await ask()
    expect(countCalls()).toBe(2)
  }),
)

test(
  'a refresh returns newer data, and so do later requests',
  withServer(async ({ ask, countCalls }) => {
    await ask()
    const refreshed = await ask({ 'x-lantern-refresh': '1' })

    expect(countCalls()).toBe(2)
    expect((await ask()).body).toEqual(refreshed.body)
  }),
)

test(
  'caches each query separately',
  withServer(async ({ ask, countCalls }) => {
    const [one, other] = [await ask({}, '/bff/feed?q=a'), await ask({}, '/bff/feed?q=b')]

    expect(one.body.equals(other.body)).toBe(false)
    expect((await ask({}, '/bff/feed?q=a')).body).toEqual(one.body)
    expect((await ask({}, '/bff/feed?r=a')).status).toBe(400)
    expect(countCalls()).toBe(2)
  }),
)

test(
  'what a person reads through it keeps the session from idling out; background polls do not',
  withServer(async ({ ask, cached, sessions }, database) => {
    const idleSeconds = async () =>
      (await database.query('select round(extract(epoch from now() - seen_at))::int as seconds from session'))
        .rows
    await ask()
    await database.query(`update session set seen_at = now() - interval '20 minutes'`)
    sessions.forgetAll()
    cached.isOpen = false
    await ask({ 'x-lantern-background': '1' })
    cached.isOpen = true

    await ask({ 'x-lantern-background': '1' })
    expect(cached.served).toBe(1)
    expect(await idleSeconds()).toEqual([{ seconds: 1200 }])
    await ask()
    expect(cached.served).toBe(2)
    await expect.poll(idleSeconds).toEqual([{ seconds: 0 }])
  }),
)
