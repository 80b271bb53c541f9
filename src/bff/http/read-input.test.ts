import { describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { readProblem } from '#test/support/ask-bff.ts'
import { defineTestRoute } from '#test/support/define-test-route.ts'
import { openDoor } from '#test/support/open-door.ts'
import { readForm } from './read-input.ts'
import type { BffRoute } from './route.ts'

const routes: BffRoute[] = [
  defineTestRoute({
    method: 'GET',
    path: '/bff/notes/:id',
    access: 'viewer',
    params: z.object({ id: z.string().check(z.regex(/^\d+$/)) }),
    query: z.object({
      tag: z.optional(z.array(z.string())),
      sort: z._default(z.enum(['new', 'old']), 'new'),
      cursor: z.optional(z.string()),
      open: z.optional(z.array(z.string())),
    }),
    cache: 'none',
    answer: async ({ params, query }) => ({ json: { ...params, ...query } }),
  }),
  defineTestRoute({
    method: 'POST',
    path: '/bff/notes',
    access: 'analyst',
    body: z.strictObject({ text: z.string().check(z.maxLength(5)) }),
    cache: 'none',
    answer: async ({ body }) => ({ status: 201, json: body }),
  }),
]

function withBff(run: (bff: ReturnType<typeof openDoor>) => Promise<void>) {
  return () => run(openDoor({ routes }))
}

test(
  'reads lists, single values and defaults from a query',
  withBff(async ({ ask }) => {
    expect(await (await ask('/bff/notes/7?tag=a&tag=b')).json()).toEqual({
      id: '7',
      tag: ['a', 'b'],
      sort: 'new',
    })
    expect(await (await ask('/bff/notes/7?tag=a&sort=old')).json()).toEqual({
      id: '7',
      tag: ['a'],
      sort: 'old',
    })
  }),
)

test(
  'names the parameter that it refuses, with a reason',
  withBff(async ({ ask }) => {
    const refused = [
      ['colour', '/bff/notes/1?colour=red'],
      ['sort', '/bff/notes/1?sort=new&sort=old'],
      ['sort', '/bff/notes/1?sort=random'],
      ['id', '/bff/notes/x'],
      ['tag', `/bff/notes/1?tag=${'x'.repeat(513)}`],
      ['cursor', `/bff/notes/1?cursor=${'x'.repeat(6145)}`],
      ['tag', '/bff/notes/1?tag=a%00b'],
    ] as const
    for (const [name, path] of refused) {
      const problem = await readProblem(await ask(path))
      expect(problem, path).toMatchObject({ status: 400, code: 'bad_request', fields: [{ name }] })
      expect(problem.fields?.[0]?.reason, path).toMatch(/\w+/)
    }
  }),
)

test(
  'takes a long cursor and 32 parameters, and no more',
  withBff(async ({ ask }) => {
    const tags = (count: number) => Array(count).fill('tag=a').join('&')

    expect((await ask(`/bff/notes/1?cursor=${'x'.repeat(2048)}`)).status).toBe(200)
    expect((await ask(`/bff/notes/1?${tags(32)}`)).status).toBe(200)
    expect((await ask(`/bff/notes/1?${tags(33)}`)).status).toBe(400)
    expect((await ask(`/bff/notes/1?tag=${'x'.repeat(512)}&cursor=${'x'.repeat(6144)}`)).status).toBe(200)
  }),
)

test(
  'counts a list that may be long apart from the other parameters',
  withBff(async ({ ask }) => {
    const open = (count: number) => Array(count).fill('open=a').join('&')
    expect((await ask(`/bff/notes/1?${open(100)}&tag=a`)).status).toBe(200)
    expect((await ask(`/bff/notes/1?${open(101)}`)).status).toBe(400)
  }),
)

test(
  'takes JSON bodies only, of 64 KiB at most',
  withBff(async ({ ask }) => {
    const send = async (body: string, headers: Record<string, string> = {}) =>
      (await readProblem(await ask('/bff/notes', { body, headers }))).status

    expect(await send('{"text":"a"}', { 'content-type': 'text/plain' })).toBe(415)
    expect(await send('text=a', { 'content-type': 'application/x-www-form-urlencoded' })).toBe(415)
    expect(await send('{"text":"a"}', { 'content-encoding': 'gzip' })).toBe(415)
    expect(await send(`"${'x'.repeat(64 * 1024)}"`)).toBe(413)
    expect(await send('{"text":')).toBe(400)
    expect(await send('')).toBe(400)
  }),
)

test(
  'names the fields of a body that are wrong or not known',
  withBff(async ({ ask }) => {
    const tooLong = await readProblem(await ask('/bff/notes', { body: { text: 'too long' } }))
    const unknown = await readProblem(await ask('/bff/notes', { body: { text: 'a', role: 'admin' } }))

    expect(tooLong.fields).toMatchObject([{ name: 'text' }])
    expect(unknown.fields).toEqual([{ name: 'role', reason: 'There is no such field.' }])
  }),
)

test(
  'a browser that goes away in the middle of a body is no fault of ours',
  withBff(async ({ app, cookie, logged }) => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('aborted')) })
    const headers = {
      'x-lantern': '1',
      'content-type': 'application/json',
      cookie,
    }

    // Node streams a request's body only with `duplex`, which the DOM's types do not know.
    const init = { method: 'POST', headers, body, duplex: 'half' }
    const request = new Request('http://localhost/bff/notes', init)

    expect(await readProblem(await app.request(request))).toMatchObject({
      status: 400,
      detail: 'The body did not arrive whole.',
    })
    expect(logged).toEqual([])
  }),
)

describe('the reason names', () => {
  test.each([
    ['an unknown parameter', '/bff/notes/1?colour=red', 'There is no such parameter.'],
    ['one that is given twice', '/bff/notes/1?sort=new&sort=old', 'Give it once.'],
    ['one that is too long', `/bff/notes/1?tag=a&tag=${'x'.repeat(513)}`, 'Use at most 512 characters.'],
    ['a cursor that is too long', `/bff/notes/1?cursor=${'x'.repeat(6145)}`, 'Use at most 6144 characters.'],
    ['one with a NUL', '/bff/notes/1?tag=b&tag=a%00b', 'It contains a NUL character.'],
    [
      'a list that is too long',
      `/bff/notes/1?${Array(101).fill('open=a').join('&')}`,
      'Give it at most 100 times.',
    ],
  ])('%s', async (_, path, reason) => {
    const { detail, fields } = await readProblem(await openDoor({ routes }).ask(path))
    expect(detail).toBe('Correct the query parameters named here.')
    expect(fields).toMatchObject([{ reason }])
  })

  test('every parameter that is wrong, each once and no longer than a value may be', async () => {
    const long = 'x'.repeat(600)
    const path = `/bff/notes/1?colour=a&colour=b&sort=new&sort=old&${long}=1`
    const { fields } = await readProblem(await openDoor({ routes }).ask(path))
    expect(fields?.map(({ name }) => name)).toEqual(['colour', 'sort', 'x'.repeat(512)])
  })

  test('the field of a body by its place, also an unknown one', async () => {
    const place = defineTestRoute({
      method: 'POST',
      path: '/bff/places',
      access: 'public',
      body: z.object({ at: z.array(z.strictObject({ x: z.number() })) }),
      cache: 'none',
      answer: async () => ({ status: 204 }),
    })
    const { ask } = openDoor({ routes: [place] })
    const problem = await readProblem(await ask('/bff/places', { body: { at: [{ x: 'a', y: 1, z: 2 }] } }))
    expect(problem.detail).toBe('Correct the fields named here.')
    expect(problem.fields).toEqual([
      { name: 'at.0.x', reason: 'Invalid input: expected number, received string' },
      { name: 'at.0.y', reason: 'There is no such field.' },
      { name: 'at.0.z', reason: 'There is no such field.' },
    ])
  })

  test('how many parameters may be sent', async () => {
    const { ask } = openDoor({ routes })
    const { detail } = await readProblem(await ask(`/bff/notes/1?${Array(33).fill('tag=a').join('&')}`))
    expect(detail).toBe('Send at most 32 query parameters.')
  })
})

describe('a body', () => {
  const body = '{"text":"a"}'
  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json ; charset=UTF-8',
  ])('may come as %s', async (type) => {
    const { ask } = openDoor({ routes })
    const answer = await ask('/bff/notes', { body, headers: { 'content-type': type } })
    expect([answer.status, await answer.json()]).toEqual([201, { text: 'a' }])
  })

  test.each([
    ['as text', { 'content-type': 'text/plain' }],
    ['as nothing that it tells', { 'content-type': '' }],
    ['in another alphabet', { 'content-type': 'application/json; charset=latin1' }],
    ['in an alphabet that only begins so', { 'content-type': 'application/json; charset=utf-8x' }],
    ['with another parameter', { 'content-type': 'application/json; charset=utf-8; x=1' }],
    ['with a parameter that only ends so', { 'content-type': 'application/json; xcharset=utf-8' }],
    ['compressed', { 'content-encoding': 'gzip' }],
  ])('may not come %s', async (_, headers) => {
    const problem = await readProblem(await openDoor({ routes }).ask('/bff/notes', { body, headers }))
    expect(problem).toMatchObject({
      status: 415,
      detail: 'Send the body as application/json, in UTF-8 and not compressed.',
    })
  })

  test.each([
    ['half of JSON', '{"text":', 'The body is not valid JSON in UTF-8.'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'The body is not valid JSON in UTF-8.'],
  ])('may not be %s', async (_, sent, detail) => {
    const { app, cookie } = openDoor({ routes })
    const headers = { 'x-lantern': '1', 'content-type': 'application/json', cookie }
    const answer = await app.request('/bff/notes', { method: 'POST', headers, body: sent })
    expect(await readProblem(answer)).toMatchObject({ status: 400, detail })
  })

  test('may have 64 KiB and no more, whether or not it says how long it is', async () => {
    const { app, cookie } = openDoor({ routes })
    const send = async (length: number, headers: Record<string, string> = {}) => {
      const sent = `"${'x'.repeat(length - 2)}"`
      const all = { 'x-lantern': '1', 'content-type': 'application/json', cookie, ...headers }
      return readProblem(await app.request('/bff/notes', { method: 'POST', headers: all, body: sent }))
    }
    expect((await send(65_536)).status).toBe(400)
    expect(await send(65_537)).toMatchObject({ status: 413, detail: 'Send at most 65536 bytes.' })
    expect((await send(10, { 'content-length': '65537' })).status).toBe(413)
    expect((await send(10, { 'content-length': '65536' })).status).toBe(400)
  })

  test('may have as much as its route takes', async () => {
    const picture = defineTestRoute({
      method: 'POST',
      path: '/bff/pictures',
      access: 'viewer',
      body: z.string(),
      bodyMaxBytes: 10,
      cache: 'none',
      answer: async () => ({ status: 204 }),
    })
    const { ask } = openDoor({ routes: [picture] })
    expect((await ask('/bff/pictures', { body: '"12345678"' })).status).toBe(204)
    const problem = await readProblem(await ask('/bff/pictures', { body: '"123456789"' }))
    expect(problem).toMatchObject({ status: 413, detail: 'Send at most 10 bytes.' })
  })

  test('has five seconds to come, and its connection ends with it', async () => {
    const patience = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal)
    onTestFinished(() => timeout.mockRestore())
    const { app, cookie } = openDoor({ routes })
    const stalled = new ReadableStream({ pull: () => patience.abort() })
    const headers = { 'x-lantern': '1', 'content-type': 'application/json', cookie }
    const init = { method: 'POST', headers, body: stalled, duplex: 'half' }
    const answer = await app.request(new Request('http://localhost/bff/notes', init))

    expect(timeout).toHaveBeenCalledWith(5_000)
    expect(answer.headers.get('connection')).toBe('close')
    expect(await readProblem(answer)).toMatchObject({
      status: 408,
      code: 'bad_request',
      title: 'The request did not arrive in time',
      detail: 'Send the whole body within 5 seconds.',
    })
  })

  test('may be absent, and is missed where it is needed', async () => {
    const { fields, status } = await readProblem(await openDoor({ routes }).ask('/bff/notes', { body: '' }))
    expect([status, fields?.map(({ name }) => name)]).toEqual([400, ['']])
  })
})

describe('a form', () => {
  const read = async (type: string, body = 'logout_token=a%20b&x=1') =>
    (
      await readForm(
        new Request('http://localhost/', { method: 'POST', headers: { 'content-type': type }, body }),
      )
    ).toString()

  test.each([
    'application/x-www-form-urlencoded',
    'Application/X-WWW-Form-Urlencoded',
    'application/x-www-form-urlencoded; charset=utf-8',
    'application/x-www-form-urlencoded ;charset=utf-8',
  ])('is read as %s', async (type) => {
    expect(await read(type)).toBe('logout_token=a+b&x=1')
  })

  test.each(['application/json', 'text/plain', ''])('is empty where it is another body: %j', async (type) => {
    expect(await read(type)).toBe('')
  })

  test('is empty where there is none', async () => {
    expect((await readForm(new Request('http://localhost/', { method: 'POST' }))).size).toBe(0)
  })

  test('has 64 KiB and no more', async () => {
    const type = 'application/x-www-form-urlencoded'
    expect(await read(type, `a=${'x'.repeat(65_534)}`)).toHaveLength(65_536)
    await expect(read(type, `a=${'x'.repeat(65_535)}`)).rejects.toMatchObject({ problem: { status: 413 } })
  })
})
