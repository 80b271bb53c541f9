import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ROLES } from '#contract/bff/session.ts'
import { readProblem } from '#test/support/ask-bff.ts'
import { sessionOf } from '#test/support/open-door.ts'
import { FRESH_MS, FRESHNESS, openNotes } from '#test/support/open-notes.ts'
import { DATABASE_AWAY } from './problem-error.ts'
import type { Answer } from './route.ts'

describe('a session', () => {
  test('is required, by its cookie', async () => {
    const { ask, seen } = openNotes({})
    for (const cookie of ['', 'lantern_sid=', 'lantern_sid=another', 'other=the-token']) {
      const problem = await readProblem(await ask('/bff/notes', { headers: { cookie } }))
      expect(problem).toMatchObject({ status: 401, code: 'signed_out', detail: 'Sign in to go on.' })
    }
    expect(seen).toEqual([])
  })

  test.each(ROLES.flatMap((role) => ROLES.map((access) => ({ role, access }))))(
    'with role $role may use a route for $access, or gets the required role',
    async ({ role, access }) => {
      const answer = await openNotes({ access }, { role }).ask('/bff/notes')
      if (ROLES.indexOf(role) >= ROLES.indexOf(access)) return expect(answer.status).toBe(200)
      expect(await readProblem(answer)).toMatchObject({
        code: 'role_not_allowed',
        detail: `This needs the role ${access}; yours is ${role}. Ask an admin.`,
      })
    },
  )

  test('is neither required nor looked up for a public route', async () => {
    const { ask, lookedUp, seen } = openNotes({ access: 'public' })
    expect((await ask('/bff/notes')).status).toBe(200)
    expect([lookedUp, seen[0]?.session]).toEqual([[], null])
  })

  test.each([
    ['a read', { method: 'GET' }, ['find']],
    ['a write', { method: 'POST' }, ['find', 'findNow']],
    ['a lookup with a body', { method: 'POST', effect: 'none' }, ['find', 'find']],
  ] as const)('is looked up for %s', async (_, route, lookups) => {
    const { ask, lookedUp, seen } = openNotes(route)
    expect((await ask('/bff/notes', { method: route.method })).status).toBe(200)
    expect(lookedUp).toEqual(lookups)
    expect(seen[0]?.session).toEqual(sessionOf('admin'))
  })

  test('is read again from the database before a write', async () => {
    const { ask, known, seen } = openNotes({ method: 'POST', access: 'analyst' })
    known.findNow = sessionOf('viewer')
    expect((await readProblem(await ask('/bff/notes', { method: 'POST' }))).code).toBe('role_not_allowed')
    known.findNow = null
    expect((await readProblem(await ask('/bff/notes', { method: 'POST' }))).code).toBe('signed_out')
    expect(seen).toEqual([])
  })
})

test('a route gets the address, flags, browser and cookies of a request', async () => {
  const { ask, seen, lookedUp } = openNotes({})
  const cookie = 'lantern_sid=the-token; lantern_device=d-1'
  await ask('/bff/notes', { headers: { cookie, 'user-agent': 'Firefox' }, peerAddress: '192.0.2.7' })
  await ask('/bff/notes', { headers: { 'x-lantern-background': '1', 'x-lantern-refresh': '1' } })
  await ask('/bff/notes', { headers: { 'x-lantern-background': '0', 'x-lantern-refresh': 'true' } })

  expect(seen.map(({ request }) => [request.address, request.isBackground, request.isRefresh])).toEqual([
    ['192.0.2.7', false, false],
    ['', true, true],
    ['', false, false],
  ])
  expect(lookedUp).toEqual(['find', 'find in the background', 'find'])
  const [first, second] = seen
  expect([first?.request.userAgent, second?.request.userAgent]).toEqual(['Firefox', ''])
  expect(first?.request.cookie('lantern_device')).toBe('d-1')
  expect(first?.request.id).toMatch(/^[\da-f-]{36}$/)
  expect(first?.request.signal).toBeInstanceOf(AbortSignal)
})

describe('an answer is served again', () => {
  const callOf = async (answer: Promise<Response>) =>
    z.object({ call: z.int() }).parse(await (await answer).json()).call

  test('to the same role for the same address, as long as it is fresh', async () => {
    const { ask, known, wait } = openNotes({ cache: 'answer' })
    expect(await callOf(ask('/bff/notes'))).toBe(1)
    wait(FRESH_MS - 1)
    expect(await callOf(ask('/bff/notes'))).toBe(1)
    expect(await callOf(ask('/bff/notes?q=a'))).toBe(2)
    expect(await callOf(ask('http://another.name:8080/bff/notes?q=a'))).toBe(2)
    known.find = sessionOf('viewer')
    expect(await callOf(ask('/bff/notes'))).toBe(3)
    known.find = sessionOf('admin')
    wait(1)
    expect(await callOf(ask('/bff/notes'))).toBe(4)
  })

  test('not after the session has ended', async () => {
    const { ask, known } = openNotes({ cache: 'answer' })
    await ask('/bff/notes')
    known.find = null
    expect((await ask('/bff/notes')).status).toBe(401)
  })

  test('not to a person who refreshes; the next person gets the new answer', async () => {
    const { ask } = openNotes({ cache: 'answer' })
    await ask('/bff/notes')
    expect(await callOf(ask('/bff/notes', { headers: { 'x-lantern-refresh': '1' } }))).toBe(2)
    expect(await callOf(ask('/bff/notes'))).toBe(2)
  })

  test.each([
    ['of a route that is answered anew', {}, { json: {}, freshForMs: FRESH_MS }],
    ['that does not say how long it is fresh', { cache: 'answer' }, { json: {} }],
    ['that is no document', { cache: 'answer' }, { json: {}, status: 202, freshForMs: FRESH_MS }],
    ['with a cookie', { cache: 'answer' }, { json: {}, cookies: ['a=b'], freshForMs: FRESH_MS }],
    [
      'of bytes',
      { cache: 'answer' },
      { bytes: Buffer.from('x'), contentType: 'image/webp', freshForMs: FRESH_MS },
    ],
  ] as const)('not one %s', async (_, route, answer) => {
    const { ask, notes, seen } = openNotes(route)
    notes.answer = async () => answer
    await ask('/bff/notes')
    await ask('/bff/notes')
    expect(seen).toHaveLength(2)
  })

  test('not to an anonymous user', async () => {
    const { ask, seen } = openNotes({ access: 'public', cache: 'answer' })
    await ask('/bff/notes')
    expect((await ask('/bff/notes')).status).toBe(200)
    expect(seen).toHaveLength(2)
  })

  test('not one that was begun before newer data came', async () => {
    const { ask, answers, notes, seen } = openNotes({ cache: 'answer' })
    notes.answer = async () => {
      answers.outdate()
      return { json: {}, freshForMs: FRESH_MS }
    }
    await ask('/bff/notes')
    await ask('/bff/notes')
    expect(seen).toHaveLength(2)
  })
})

describe('while the database is away', () => {
  const away = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))

  test('the last answer serves, and says that it is old', async () => {
    const { ask, notes, wait } = openNotes({ cache: 'answer' })
    await ask('/bff/notes')
    wait(FRESH_MS)
    notes.answer = away
    const freshness = { ...FRESHNESS, isStale: true, staleReason: DATABASE_AWAY }
    expect(await (await ask('/bff/notes')).json()).toEqual({ call: 1, freshness })
    // It is no newer for having been shown.
    wait(24 * 3_600_000)
    expect((await ask('/bff/notes')).status).toBe(503)
  })

  test.each([
    ['nothing was answered', { cache: 'answer' }, null],
    ['answers are not kept', {}, { json: { freshness: FRESHNESS }, freshForMs: 0 }],
    ['an answer does not tell its age', { cache: 'answer' }, { json: { call: 1 }, freshForMs: 0 }],
  ] as const)('there is none where %s', async (_, route, answer) => {
    const { ask, notes } = openNotes(route)
    if (answer) {
      notes.answer = async () => answer
      await ask('/bff/notes')
    }
    notes.answer = away
    expect((await readProblem(await ask('/bff/notes'))).status).toBe(503)
  })

  test('an internal error is reported as such', async () => {
    const { ask, notes, wait } = openNotes({ cache: 'answer' })
    await ask('/bff/notes')
    wait(FRESH_MS)
    notes.answer = () => Promise.reject(new Error('a mistake'))
    expect((await readProblem(await ask('/bff/notes'))).code).toBe('internal')
  })
})

describe('an answer', () => {
  async function answerOf(answer: Answer, method: 'GET' | 'POST' = 'GET', headers = {}) {
    const { ask, notes } = openNotes({ method })
    notes.answer = async () => answer
    return ask('/bff/notes', { method, headers })
  }

  test('that is a document has an ETag, and is not sent again to a browser that has it', async () => {
    const answer = await answerOf({ json: { a: 1 }, headers: { 'x-more': 'yes' } })
    const etag = answer.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
    expect([answer.status, answer.headers.get('x-more'), await answer.json()]).toEqual([200, 'yes', { a: 1 }])
    expect(answer.headers.get('content-type')).toBe('application/json')
    const again = await answerOf({ json: { a: 1 } }, 'GET', { 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test('that is long is compressed for clients that accept it', async () => {
    const answer = await answerOf({ json: 'x'.repeat(2_000) }, 'GET', { 'accept-encoding': 'gzip' })
    expect(answer.headers.get('content-encoding')).toBe('gzip')
  })

  test.each([
    ['to a write', { json: { a: 1 } }, 'POST', 200],
    ['with another status', { json: { a: 1 }, status: 202 }, 'GET', 202],
    ['with cookies', { json: { a: 1 }, cookies: ['a=b', 'c=d; Path=/'] }, 'GET', 200],
  ] as const)('%s has no validator', async (_, sent, method, status) => {
    const answer = await answerOf(sent, method)
    expect([answer.status, answer.headers.get('etag'), await answer.json()]).toEqual([status, null, { a: 1 }])
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.getSetCookie()).toEqual('cookies' in sent ? sent.cookies : [])
  })

  test('may be bytes', async () => {
    const answer = await answerOf({ bytes: Buffer.from('picture'), contentType: 'image/webp', status: 203 })
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      203,
      'image/webp',
      'picture',
    ])
  })

  test('may be a stream', async () => {
    const stream = new Blob(['one', 'two']).stream()
    const answer = await answerOf({ stream, contentType: 'text/csv', headers: { 'x-more': 'yes' } })
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'text/csv',
      'onetwo',
    ])
    expect(answer.headers.get('x-more')).toBe('yes')
  })

  test('may be nothing', async () => {
    const answer = await answerOf({ status: 204, cookies: ['a=; Max-Age=0'] }, 'POST')
    expect([answer.status, await answer.text(), answer.headers.get('content-type')]).toEqual([204, '', null])
    expect(answer.headers.getSetCookie()).toEqual(['a=; Max-Age=0'])
  })
})
