import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { readProblem } from '#test/support/ask-bff.ts'
import { defineTestRoute } from '#test/support/define-test-route.ts'
import { openDoor } from '#test/support/open-door.ts'
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
      closed: z.optional(z.array(z.string())),
    }),
    answer: async ({ params, query }) => ({ json: { ...params, ...query } }),
  }),
  defineTestRoute({
    method: 'POST',
    path: '/bff/notes',
    access: 'analyst',
    body: z.strictObject({ text: z.string().check(z.maxLength(5)) }),
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
    const closed = (count: number) => Array(count).fill('closed=a').join('&')
    expect((await ask(`/bff/notes/1?${closed(100)}&tag=a`)).status).toBe(200)
    expect((await ask(`/bff/notes/1?${closed(101)}`)).status).toBe(400)
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
    ['colour', 'colour=red', 'There is no such parameter.'],
    ['sort', 'sort=new&sort=old', 'Give it once.'],
    ['tag', `tag=a&tag=${'x'.repeat(513)}`, 'Use at most 512 characters.'],
    ['cursor', `cursor=${'x'.repeat(6145)}`, 'Use at most 6144 characters.'],
    ['tag', 'tag=b&tag=a%00b', 'It contains a NUL character.'],
    ['closed', Array(101).fill('closed=a').join('&'), 'Give it at most 100 times.'],
  ])('the parameter %s of %s', async (name, query, reason) => {
    const problem = await readProblem(await openDoor({ routes }).ask(`/bff/notes/1?${query}`))
    expect(problem).toMatchObject({ status: 400, code: 'bad_request', fields: [{ name, reason }] })
    expect(problem.detail).toBe('Correct the query parameters named here.')
  })

  test.each([
    ['id', '/bff/notes/x'],
    ['sort', '/bff/notes/1?sort=random'],
  ])('the field %s of %s', async (name, path) => {
    const problem = await readProblem(await openDoor({ routes }).ask(path))
    expect(problem).toMatchObject({ status: 400, fields: [{ name, reason: expect.stringMatching(/\w/) }] })
  })

  test('every parameter that is wrong, each once and no longer than a value may be', async () => {
    const long = 'x'.repeat(600)
    const path = `/bff/notes/1?colour=a&colour=b&sort=new&sort=old&${long}=1`
    const { fields } = await readProblem(await openDoor({ routes }).ask(path))
    expect(fields?.map(({ name }) => name)).toEqual(['colour', 'sort', 'x'.repeat(512)])
  })

  test('the path of each wrong or unknown field in a body', async () => {
    const place = defineTestRoute({
      method: 'POST',
      path: '/bff/places',
      access: 'public',
      body: z.object({ at: z.array(z.strictObject({ x: z.number() })) }),
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
