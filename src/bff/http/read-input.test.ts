import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { defineTestRoute } from '#test/support/define-test-route.ts'
import { withDatabase } from '#test/support/with-database.ts'
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

type TestBff = Awaited<ReturnType<typeof createTestBff>>

function withBff(run: (bff: TestBff) => Promise<void>) {
  return withDatabase('bff', async (database) => {
    const bff = await createTestBff(database, { routes })
    await bff.signIn()
    await run(bff)
  })
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
      ['cursor', `/bff/notes/1?cursor=${'x'.repeat(2049)}`],
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
  withBff(async ({ app, cookies, logged }) => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('aborted')) })
    const headers = {
      'x-lantern': '1',
      'content-type': 'application/json',
      cookie: `lantern_sid=${cookies.get('lantern_sid')}`,
    }

    // Node streams a request's body only with `duplex`, which the DOM's types do not know.
    const init = { method: 'POST', headers, body, duplex: 'half' }
    const request = new Request('http://localhost/bff/notes', init)

    expect((await readProblem(await app.request(request))).status).toBe(400)
    expect(logged).toEqual([])
  }),
)
