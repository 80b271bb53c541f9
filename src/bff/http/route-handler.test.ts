import { once } from 'node:events'
import { createConnection } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { AnswerCache } from '#bff/http/answer-cache.ts'
import { serveBff } from '#bff/serve.ts'
import { problemSchema } from '#contract/bff/problem.ts'
import type { Role } from '#contract/bff/session.ts'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { ADMIN, createTestBff } from '#test/support/ask-bff.ts'
import { defineTestRoute } from '#test/support/define-test-route.ts'
import { beginHttp, type HttpAnswer, sendHttp } from '#test/support/send-http.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const BODY_MAX_MS = 5_000
/** A session is cached for this long. */
const REMEMBERED_MS = 5_001
const BOB = 'bob@example.com'

/** Starts one process of the BFF on a port of its own, with a write for analysts that counts its calls. */
async function serve(database: OpenDatabase) {
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const notes: unknown[] = []
  const bff = await serveBff({
    answers: new AnswerCache(),
    database,
    host: '127.0.0.1',
    port,
    publicUrl: url,
    admin: ADMIN,
    staticFolder: '/nonexistent',
    secret: 'secret-of-the-tests-and-long-enough',
    log: { info() {}, warn() {}, error() {} },
    routes: [
      defineTestRoute({
        method: 'POST',
        path: '/bff/notes',
        access: 'analyst',
        body: z.strictObject({ text: z.string() }),
        async answer({ body }) {
          notes.push(body)
          return { status: 204 }
        },
      }),
    ],
  })
  onTestFinished(() => bff.close())
  return { port, url, notes }
}

/** Ada, an admin, and Bob, who has the same password. */
async function openTeam(role: Role) {
  const database = await takeDatabase('bff')
  const [first, second] = [await serve(database), await serve(database)]
  const { rows } = await database.query(
    `insert into account (email, name, role, password_hash)
     select $1, 'bob', $2, password_hash from account returning id`,
    [BOB, role],
  )
  const [{ id: bobId }] = z.tuple([z.object({ id: z.string() })]).parse(rows)

  /** The headers of a browser that both processes have seen and remember. */
  async function signIn(email: string): Promise<Record<string, string>> {
    const headers = { 'x-lantern': '1', 'content-type': 'application/json' }
    const body = JSON.stringify({ ...ADMIN, email })
    const answer = await fetch(`${first.url}/bff/sign-in`, { method: 'POST', headers, body })
    const cookie = answer.headers.getSetCookie().map((one) => one.split(';', 1))
    const signedIn = { ...headers, cookie: cookie.join('; ') }
    for (const { url } of [first, second]) await sendHttp(`${url}/bff/session`, { headers: signedIn })
    return signedIn
  }
  return { database, first, second, bobId, ada: await signIn(ADMIN.email), bob: await signIn(BOB) }
}

const problemOf = ({ body }: HttpAnswer) => problemSchema.parse(JSON.parse(body.toString()))

test.for(['first', 'second'] as const)(
  'an admin demoted during an upload is refused at its end: request to the %s process',
  async (queried) => {
    const { database, bobId, ada, bob, ...processes } = await openTeam('admin')
    const path = `/bff/users/${bobId}`
    const pending = await beginHttp(`${processes[queried].url}${path}`, {
      method: 'PUT',
      headers: bob,
      body: '{"role":"admin"}',
    })
    const body = '{"role":"viewer"}'
    const demoted = await sendHttp(`${processes.first.url}${path}`, { method: 'PUT', headers: ada, body })
    expect(demoted.status).toBe(200)

    expect(problemOf(await pending.finish()).code).toBe('signed_out')
    expect((await database.query('select role from account where id = $1', [bobId])).rows).toEqual([
      { role: 'viewer' },
    ])
  },
)

test('an admin who is disabled while a body is on its way makes no other one', async () => {
  const { database, first, second, bobId, ada, bob } = await openTeam('admin')
  const pending = await beginHttp(`${second.url}/bff/users`, {
    headers: bob,
    body: '{"email":"eve@example.com","role":"admin"}',
  })
  const disable = { method: 'PUT', headers: ada, body: '{"isDisabled":true}' }
  expect((await sendHttp(`${first.url}/bff/users/${bobId}`, disable)).status).toBe(200)

  expect((await pending.finish()).status).toBe(401)
  expect((await database.query('select from password_link')).rowCount).toBe(0)
  expect((await database.query('select from account')).rowCount).toBe(2)
})

test('a write ends with its session, also where its body comes after a sign-out everywhere', async () => {
  const { first, second, bob } = await openTeam('analyst')
  const pending = await Promise.all(
    [first, second].map(({ url }) => beginHttp(`${url}/bff/notes`, { headers: bob, body: '{"text":"a"}' })),
  )
  const everywhere = { method: 'POST', headers: bob, body: '{"everywhere":true}' }
  expect((await sendHttp(`${first.url}/bff/sign-out`, everywhere)).status).toBe(204)

  const answers = await Promise.all(pending.map(({ finish }) => finish()))
  expect(answers.map(({ status }) => status)).toEqual([401, 401])
  expect([...first.notes, ...second.notes]).toEqual([])
})

test('a write checks its session in the database, not only in memory', async () => {
  const { database, first, bob } = await openTeam('analyst')
  const body = '{"text":"a"}'
  const write = async () =>
    (await sendHttp(`${first.url}/bff/notes`, { method: 'POST', headers: bob, body })).status
  expect(await write()).toBe(204)
  // The processes get no notice.
  await database.query('delete from session')
  expect(await write()).toBe(401)
})

test('a lookup with a body that changes nothing is answered from memory, as a GET is', async () => {
  const database = await takeDatabase('bff')
  const lookup = defineTestRoute({
    method: 'POST',
    path: '/bff/notes/search',
    access: 'viewer',
    effect: 'none',
    body: z.strictObject({ text: z.string() }),
    answer: async () => ({ json: [] }),
  })
  const { ask, signIn, wait } = await createTestBff(database, { routes: [lookup] })
  await signIn()
  await database.query('delete from session')

  const search = async () => (await ask('/bff/notes/search', { body: { text: 'a' } })).status
  expect(await search()).toBe(200)
  wait(REMEMBERED_MS)
  expect(await search()).toBe(401)
})

test('a write without permission is refused before its body is read', async () => {
  const { first, bob } = await openTeam('viewer')
  const { cookie, ...stranger } = bob
  const refused = [
    { headers: stranger, code: 'signed_out' },
    { headers: bob, code: 'role_not_allowed' },
  ]
  for (const { headers, code } of refused) {
    const { answer } = await beginHttp(`${first.url}/bff/notes`, { headers, body: '{"text":"a"}' })
    expect(problemOf(await answer).code).toBe(code)
  }
})

test('closes a connection after 5 seconds if the body is missing or arrives too slowly', async () => {
  const { first, bob } = await openTeam('analyst')
  const head = Object.entries({ ...bob, host: `localhost:${first.port}`, 'content-length': '1000' })
  async function stall(dripMs: number) {
    const socket = createConnection({ host: '127.0.0.1', port: first.port })
    const begunMs = performance.now()
    socket.write(
      `POST /bff/notes HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    )
    const drip = dripMs > 0 && setInterval(() => socket.write(' '), dripMs)
    const closed = once(socket, 'close')
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
      if (drip) clearInterval(drip)
    })
    await closed
    return { answer, tookMs: performance.now() - begunMs }
  }

  for (const { answer, tookMs } of await Promise.all([stall(0), stall(400)])) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(answer.toLowerCase()).toContain('connection: close')
    expect(problemSchema.parse(JSON.parse(answer.slice(answer.indexOf('{'))))).toMatchObject({
      code: 'bad_request',
      title: 'The request did not arrive in time',
      detail: 'Send the whole body within 5 seconds.',
    })
    expect(tookMs).toBeGreaterThan(BODY_MAX_MS - 100)
  }
  expect(first.notes).toEqual([])
})
