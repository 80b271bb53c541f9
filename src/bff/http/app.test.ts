import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { defineTestRoute } from '#test/support/define-test-route.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { ProblemError } from './problem-error.ts'
import type { BffRoute } from './route.ts'

const routes: BffRoute[] = [
  defineTestRoute({
    method: 'GET',
    path: '/bff/notes/:id',
    access: 'viewer',
    answer: async () => ({ json: {} }),
  }),
  defineTestRoute({
    method: 'POST',
    path: '/bff/notes',
    access: 'analyst',
    body: z.strictObject({ text: z.string().check(z.maxLength(5)) }),
    answer: async ({ body }) => ({ status: 201, json: body }),
  }),
  defineTestRoute({
    method: 'GET',
    path: '/bff/broken',
    access: 'viewer',
    answer: () => Promise.reject(new Error('secret detail of the inside')),
  }),
  defineTestRoute({
    method: 'GET',
    path: '/bff/limited',
    access: 'viewer',
    answer: () =>
      Promise.reject(
        new ProblemError({
          code: 'rate_limited',
          detail: 'Wait.',
          retryAt: new Date(Date.now() + 30_000).toISOString(),
          cause: new Error('inside'),
        }),
      ),
  }),
]

type TestBff = Awaited<ReturnType<typeof createTestBff>>

function withBff(run: (bff: TestBff) => Promise<void>) {
  return withDatabase('bff', async (database) => {
    const bff = await createTestBff(database, { routes })
    await bff.signIn()
    await run(bff)
  })
}

test(
  'answers without a session only to sign-in, health and session requests',
  withBff(async ({ createBrowser }) => {
    const stranger = createBrowser()

    for (const path of ['/bff/notes/1', '/bff/broken']) {
      const response = await stranger.ask(path)
      expect(response.headers.get('www-authenticate')).not.toBeNull()
      expect(await readProblem(response)).toMatchObject({ status: 401, code: 'signed_out' })
    }
    expect((await stranger.ask('/bff/sign-out', { body: {} })).status).toBe(401)
    expect(await stranger.readSession()).toBeNull()
    expect((await stranger.ask('/bff/session', { headers: { 'x-lantern': '' } })).status).toBe(403)
    expect(await (await stranger.ask('/healthz', { headers: { 'x-lantern': '' } })).text()).toBe('ok')
    expect(await (await stranger.ask('/readyz')).text()).toBe('ready')
  }),
)

test(
  'refuses requests that another page could have made',
  withBff(async ({ ask }) => {
    const forgeries: Record<string, string>[] = [
      { 'x-lantern': '' },
      { 'x-lantern': '2' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:4174' },
    ]
    for (const headers of forgeries) {
      const named = JSON.stringify(headers)
      expect((await readProblem(await ask('/bff/notes/1', { headers }))).status, named).toBe(403)
      expect((await readProblem(await ask('/bff/notes', { headers, body: {} }))).status, named).toBe(403)
      expect((await readProblem(await ask('/bff/sign-in', { headers, body: {} }))).status, named).toBe(403)
    }
  }),
)

test(
  'takes requests of its own pages',
  withBff(async ({ ask }) => {
    const headers = { origin: 'http://localhost:4173', 'sec-fetch-site': 'same-origin' }

    const response = await ask('/bff/notes', { headers, body: { text: 'a' } })

    expect([response.status, await response.json()]).toEqual([201, { text: 'a' }])
  }),
)

test(
  'knows only the paths of its table, exactly as they are',
  withBff(async ({ ask }) => {
    for (const path of [
      '/bff',
      '/bff/',
      '/bff/nothing',
      '/bff/Session',
      '/bff/session/',
      '/bff/session.css',
    ]) {
      expect(await readProblem(await ask(path))).toMatchObject({ status: 404, code: 'not_found' })
    }
  }),
)

test(
  'names the methods of a path that knows others',
  withBff(async ({ ask }) => {
    const onList = await ask('/bff/notes', { method: 'DELETE' })
    const onSession = await ask('/bff/session', { method: 'OPTIONS' })

    expect((await readProblem(onList)).status).toBe(405)
    expect(onList.headers.get('allow')).toBe('POST')
    expect([onSession.status, onSession.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  }),
)

test(
  'logs an internal error in full, and answers without its details',
  withBff(async ({ ask, logged }) => {
    const problem = await readProblem(await ask('/bff/broken'))

    expect(problem).toMatchObject({ status: 500, code: 'internal' })
    expect(JSON.stringify(problem)).not.toContain('secret')
    expect(JSON.parse(logged.at(-1) ?? '')).toMatchObject({
      level: 'error',
      requestId: problem.requestId,
      route: '/bff/broken',
      error: expect.stringContaining('secret detail of the inside'),
    })
  }),
)

test(
  'answers 503 with Retry-After when a statement takes too long',
  withDatabase('bff', async (database) => {
    const slow = defineTestRoute({
      method: 'GET',
      path: '/bff/slow',
      access: 'viewer',
      answer: () =>
        database.transaction(async (tx) => {
          await tx.query('set local statement_timeout = 10')
          await tx.query('select pg_sleep(30)')
          return { json: {} }
        }),
    })
    const { ask, signIn } = await createTestBff(database, { routes: [slow] })
    await signIn()

    const response = await ask('/bff/slow')

    expect(response.headers.get('retry-after')).not.toBeNull()
    expect(await readProblem(response)).toMatchObject({
      status: 503,
      code: 'database_unavailable',
      title: "Lantern's own database is too busy",
    })
  }),
)

test(
  'says when to come back, as a header too',
  withBff(async ({ ask }) => {
    const response = await ask('/bff/limited')

    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(25)
    expect(JSON.stringify(await readProblem(response))).not.toContain('inside')
  }),
)

test(
  'no answer is stored, sniffed or shared with other origins',
  withBff(async ({ ask }) => {
    for (const path of ['/bff/session', '/bff/notes/1', '/bff/nothing', '/bff/broken', '/healthz']) {
      const { headers } = await ask(path)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(headers.get('strict-transport-security')).toBeNull()
    }
  }),
)

test(
  'sends HSTS if PUBLIC_URL is https',
  withDatabase('bff', async (database) => {
    const { ask } = await createTestBff(database, { publicUrl: 'https://lantern.example' })

    expect((await ask('/healthz')).headers.get('strict-transport-security')).toMatch(/^max-age=63072000/)
  }),
)

test(
  'is not ready while the database does not answer',
  withDatabase('bff', async (database) => {
    const { ask } = await createTestBff({
      query: (text, values) =>
        text.includes('from account limit 1')
          ? Promise.reject(new Error('down'))
          : database.query(text, values),
      transaction: database.transaction,
    })

    expect((await ask('/readyz')).status).toBe(503)
    expect((await ask('/healthz')).status).toBe(200)
  }),
)
