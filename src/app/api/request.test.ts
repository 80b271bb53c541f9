import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { fakeBff, problem } from '#test/support/app/fake-bff.ts'
import { ApiError, isSignedOut } from './api-error.ts'
import { getJson } from './get-json.ts'
import { getPicture } from './get-picture.ts'
import { sendJson } from './send-json.ts'

const okSchema = z.object({ ok: z.boolean() })

async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.catch((error: unknown) => error)
  if (!(error instanceof ApiError)) throw new Error(`no ApiError: ${error}`)
  return error
}

test('sends the headers that the BFF requires, and repeats a parameter for each value', async () => {
  let seen: Request | undefined
  fakeBff.use(
    http.get('/bff/threats', ({ request }) => {
      seen = request
      return HttpResponse.json({ ok: true })
    }),
  )
  const query = { country: ['DE', 'FR'], q: 'a&b', set: undefined }

  expect(await getJson('threats', okSchema, { query, background: true, refresh: true })).toEqual({ ok: true })
  expect(new URL(seen?.url ?? '').search).toBe('?country=DE&country=FR&q=a%26b')
  expect(seen?.headers.get('x-lantern')).toBe('1')
  expect(seen?.headers.get('x-lantern-background')).toBe('1')
  expect(seen?.headers.get('x-lantern-refresh')).toBe('1')
})

test('carries the problem of a refusal', async () => {
  const retryAt = '2026-05-01T00:00:00Z'
  fakeBff.use(http.get('/bff/threats', () => problem('rate_limited', 429, { retryAt, requestId: 'r-1' })))

  const error = await failureOf(getJson('threats', okSchema))

  expect(error.problem.code).toBe('rate_limited')
  expect([error.message, error.detail]).toEqual(['Problem rate_limited', 'What to do about rate_limited.'])
  expect([error.retryAt, error.requestId]).toEqual([retryAt, 'r-1'])
  expect(isSignedOut(error)).toBe(false)
})

test.for([
  ['a page of a proxy', () => HttpResponse.html('<h1>Bad gateway</h1>', { status: 502 }), 502],
  ['a problem of someone else', () => HttpResponse.json({ message: 'no' }, { status: 401 }), 401],
  ['no answer at all', () => HttpResponse.error(), 0],
  ['text that is no JSON', () => HttpResponse.text('<html>'), 200],
  ['JSON of another shape', () => HttpResponse.json({ ok: 'yes' }), 200],
  ['nothing', () => new HttpResponse(null, { status: 204 }), 204],
] as const)('reports an internal error, and no signed-out session, for %s', async ([, answer, status]) => {
  fakeBff.use(http.get('/bff/threats', () => answer()))

  const error = await failureOf(getJson('threats', okSchema))

  expect(error.problem).toMatchObject({ code: 'internal', status })
  expect(error.detail).not.toBe('')
  expect(isSignedOut(error)).toBe(false)
})

test('reports an abort by the caller as an AbortError', async () => {
  const abort = new AbortController()
  const answer = getJson('source', okSchema, { signal: abort.signal })
  abort.abort()
  await expect(answer).rejects.toHaveProperty('name', 'AbortError')
})

test('sends a body as JSON and takes an empty answer', async () => {
  let seen: unknown
  fakeBff.use(
    http.post('/bff/sign-out', async ({ request }) => {
      seen = await request.json()
      return new HttpResponse(null, { status: 204 })
    }),
  )
  await sendJson('sign-out', z.undefined(), { body: { everywhere: false } })
  expect(seen).toEqual({ everywhere: false })
})

test('fetches a picture by the address that the BFF gave', async () => {
  fakeBff.use(
    http.get('/bff/threats/t-1/evidence/0', ({ request }) =>
      request.headers.get('x-lantern') === '1'
        ? HttpResponse.arrayBuffer(new Uint8Array([1, 2, 3]).buffer, {
            headers: { 'content-type': 'image/webp' },
          })
        : problem('bad_request', 400),
    ),
  )
  const picture = await getPicture('/bff/threats/t-1/evidence/0?set=v1')
  expect([picture.type, picture.size]).toEqual(['image/webp', 3])
})
