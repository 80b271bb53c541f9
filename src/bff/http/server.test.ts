import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { AnswerCache } from '#bff/http/answer-cache.ts'
import { createLog } from '#bff/http/log.ts'
import { type RunningBff, serveBff } from '#bff/serve.ts'
import { problemSchema } from '#contract/bff/problem.ts'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { ADMIN } from '#test/support/ask-bff.ts'
import { defineTestRoute } from '#test/support/define-test-route.ts'
import { sendBytes, sendHttp } from '#test/support/send-http.ts'
import { withDatabase } from '#test/support/with-database.ts'

type Served = {
  bff: RunningBff
  port: number
  signIn: () => Promise<Record<string, string>>
  /** The slow route has begun. */
  begun: Promise<void>
  release: () => void
}

/** A BFF on a real port, with a route that waits to be released and one that is cached. */
async function serve(database: OpenDatabase): Promise<Served> {
  const port = await findFreePort()
  const begun = Promise.withResolvers<void>()
  const waiting = Promise.withResolvers<void>()
  const bff = await serveBff({
    answers: new AnswerCache(),
    database,
    host: '127.0.0.1',
    port,
    publicUrl: `http://localhost:${port}`,
    admin: ADMIN,
    staticFolder: '/nonexistent',
    secret: 'secret-of-the-tests-and-long-enough',
    log: { info() {}, warn() {}, error() {} },
    routes: [
      defineTestRoute({
        method: 'GET',
        path: '/bff/slow',
        access: 'public',
        query: z.object({ id: z.optional(z.string()) }),
        async answer() {
          begun.resolve()
          await waiting.promise
          return { json: 'done' }
        },
      }),
      defineTestRoute({
        method: 'GET',
        path: '/bff/feed',
        access: 'viewer',
        cache: 'answer',
        answer: async () => ({ json: {}, freshForMs: 60_000 }),
      }),
    ],
  })
  return { bff, port, begun: begun.promise, release: waiting.resolve, signIn: () => signIn(port) }
}

async function signIn(port: number): Promise<Record<string, string>> {
  const response = await fetch(`http://localhost:${port}/bff/sign-in`, {
    method: 'POST',
    headers: { 'x-lantern': '1', 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  })
  const pairs = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1))
  return { 'x-lantern': '1', cookie: pairs.join('; ') }
}

function withServer(run: (served: Served, database: OpenDatabase) => Promise<void>) {
  return withDatabase('bff', async (database) => {
    const served = await serve(database)
    try {
      await run(served, database)
    } finally {
      served.release()
      await served.bff.close()
    }
  })
}

test(
  'refuses what could mean another server, and hangs up',
  withServer(async ({ port }) => {
    const host = `Host: localhost:${port}\r\n`
    const refused: Record<string, string> = {
      'an absolute target': `GET http://evil.example/healthz HTTP/1.1\r\n${host}`,
      'its own absolute target': `GET http://localhost:${port}/healthz HTTP/1.1\r\n${host}`,
      'a target of two slashes': `GET //evil.example/healthz HTTP/1.1\r\n${host}`,
      'a backslash in the target': `GET /\\evil.example/healthz HTTP/1.1\r\n${host}`,
      'an asterisk': `OPTIONS * HTTP/1.1\r\n${host}`,
      'two hosts': `GET /healthz HTTP/1.1\r\n${host}Host: evil.example\r\n`,
      'the same host twice': `GET /healthz HTTP/1.1\r\n${host}${host}`,
      'no host': 'GET /bff/session HTTP/1.1\r\n',
      'an odd transfer encoding': `POST /bff/sign-in HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n`,
      'a list of transfer encodings': `POST /bff/sign-in HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n`,
      'a length beside chunks': `POST /bff/sign-in HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nContent-Length: 1\r\n`,
    }
    for (const [name, bytes] of Object.entries(refused)) {
      const answer = await sendBytes(port, `${bytes}\r\n`)
      expect(answer, name).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer.toLowerCase(), name).toContain('connection: close')
      expect(answer.toLowerCase(), name).toContain('referrer-policy: no-referrer')
      expect(answer.toLowerCase(), name).toContain('cache-control: no-store')
    }
  }),
)

test(
  'answers only to its own host names, but reports its health under any name',
  withServer(async ({ port }) => {
    const ask = (path: string, host: string) =>
      sendHttp(`http://127.0.0.1:${port}${path}`, { headers: { host } })

    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost',
      `localhost:${port + 1}`,
      `localhost.:${port}`,
    ]) {
      const { status, headers, body } = await ask('/bff/session', host)
      expect(status, host).toBe(421)
      expect(headers).toMatchObject({
        'content-type': 'application/problem+json',
        'x-content-type-options': 'nosniff',
      })
      expect(problemSchema.parse(JSON.parse(body.toString())).requestId).toBeDefined()
      expect((await ask('/', host)).status, host).toBe(421)
      expect((await ask('/healthz', host)).status, host).toBe(200)
    }
    for (const host of ['', 'Host: \r\n', 'Host: a b\r\n', 'Host: evil.example/x\r\n']) {
      for (const path of ['/healthz', '/readyz']) {
        const answer = await sendBytes(port, `GET ${path} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`)
        expect(answer, host).toMatch(/^HTTP\/1\.1 200 /)
      }
    }
    for (const host of [`localhost:${port}`, `LOCALHOST:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect((await ask('/bff/nothing', host)).status, host).toBe(403)
    }
  }),
)

test(
  'names no software in its headers',
  withServer(async ({ port }) => {
    const { headers } = await sendHttp(`http://localhost:${port}/healthz`)

    expect(headers).not.toHaveProperty('server')
    expect(headers).not.toHaveProperty('x-powered-by')
  }),
)

test(
  'a sign-out in one process ends the session in the others at once',
  withServer(async ({ port, signIn }, database) => {
    const other = await serve(database)
    try {
      const headers = await signIn()
      const ask = (at: number) => sendHttp(`http://localhost:${at}/bff/feed`, { headers })
      for (const at of [port, other.port, other.port]) expect((await ask(at)).status).toBe(200)

      await sendHttp(`http://localhost:${port}/bff/sign-out`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{}',
      })

      expect((await ask(port)).status).toBe(401)
      // Far less than the five seconds that a session is remembered for.
      await expect.poll(async () => (await ask(other.port)).status).toBe(401)
    } finally {
      await other.bff.close()
    }
  }),
)

test(
  'a process that receives no sign-out notices caches no session, and reconnects by itself',
  withServer(async ({ port, signIn }, database) => {
    const headers = await signIn()
    const ask = async () => (await sendHttp(`http://localhost:${port}/bff/feed`, { headers })).status
    const listeners = `from pg_stat_activity where datname = current_database() and query like 'listen %sessions_ended%'`
    expect([await ask(), await ask()]).toEqual([200, 200])

    // It returns once they have ended: the process may listen again before another statement could see that.
    const ended = await database.query(`select pg_terminate_backend(pid, 30000) as "hasEnded" ${listeners}`)
    expect(ended.rows).toEqual([{ hasEnded: true }])
    await database.query('delete from session')
    await expect.poll(ask).toBe(401)

    await expect.poll(async () => (await database.query(`select ${listeners}`)).rowCount).toBe(1)
  }),
)

test(
  'closing lets the requests under way finish, and takes no others',
  withServer(async ({ bff, port, begun, release }) => {
    const slow = sendHttp(`http://localhost:${port}/bff/slow`, { headers: { 'x-lantern': '1' } })
    await begun
    const closed = bff.close()

    await expect(sendHttp(`http://localhost:${port}/healthz`)).rejects.toThrow(/ECONNREFUSED|ECONNRESET/)
    release()
    const { status, body } = await slow
    expect([status, body.toString()]).toEqual([200, '"done"'])
    await closed
  }),
)

test(
  'closes only after every handler has ended, even if its client has left',
  withServer(async ({ bff, port, begun, release }) => {
    const left = new AbortController()
    const slow = fetch(`http://localhost:${port}/bff/slow`, {
      headers: { 'x-lantern': '1' },
      signal: left.signal,
    })
    await begun
    left.abort()
    await expect(slow).rejects.toThrow()

    let isClosed = false
    const closed = bff.close().then(() => {
      isClosed = true
    })
    await sleep(300)
    expect(isClosed).toBe(false)
    release()
    await closed
  }),
)

test(
  'a port that is taken fails the start and makes no account',
  withServer(async ({ port }) => {
    await withDatabase('bff', async (empty) => {
      const start = serveBff({
        answers: new AnswerCache(),
        database: empty,
        host: '127.0.0.1',
        port,
        publicUrl: `http://localhost:${port}`,
        admin: ADMIN,
        staticFolder: '/nonexistent',
        secret: 'secret-of-the-tests-and-long-enough',
        routes: [],
        log: createLog(() => {}),
      })
      await expect(start).rejects.toMatchObject({ code: 'EADDRINUSE' })
      expect((await empty.query('select from account')).rowCount).toBe(0)
    })()
  }),
)

test(
  'returns the first account, and creates sign-in links for localhost',
  withServer(async ({ bff, port }) => {
    expect(bff.firstAccount).toEqual({ ...ADMIN, isPasswordGenerated: false })
    expect(await bff.createSignInLink()).toMatch(
      new RegExp(`^http://localhost:${port}/sign-in#link=[\\w-]{43}$`),
    )
  }),
)
