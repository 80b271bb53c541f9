import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { readProblem } from '#test/support/ask-bff.ts'
import { defineTestRoute } from '#test/support/define-test-route.ts'
import { openDoor } from '#test/support/open-door.ts'
import { readForm } from './read-input.ts'

const routes = [
  defineTestRoute({
    method: 'POST',
    path: '/bff/notes',
    access: 'analyst',
    body: z.strictObject({ text: z.string().check(z.maxLength(5)) }),
    answer: async ({ body }) => ({ status: 201, json: body }),
  }),
]

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
      answer: async () => ({ status: 204 }),
    })
    const { ask } = openDoor({ routes: [picture] })
    expect((await ask('/bff/pictures', { body: '"12345678"' })).status).toBe(204)
    const problem = await readProblem(await ask('/bff/pictures', { body: '"123456789"' }))
    expect(problem).toMatchObject({ status: 413, detail: 'Send at most 10 bytes.' })
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
