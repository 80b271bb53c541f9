import { expect, test } from 'vitest'
import { failureOf, PERSON, startUpstream } from '#test/support/start-upstream.ts'
import { TIMEOUTS } from './transport.ts'

const ALERTS = '/api/alerts'
const BODY = { name: 'Harbour', keywords: ['quayside'] }

async function startAlerts(timeouts = TIMEOUTS) {
  const { upstream, ...started } = await startUpstream({ timeouts })
  const create = (body: object = BODY) => upstream.call('createAlert', { body: { ...BODY, ...body } }, PERSON)
  return { ...started, upstream, create }
}

test('creates a profile with the JSON that it was given', async () => {
  const { standIn, create } = await startAlerts()
  const sent: string[] = []
  standIn.play(ALERTS, {
    act(response, request) {
      sent.push(request.method ?? '')
      request.on('data', (chunk) => sent.push(String(chunk)))
      request.on('end', () =>
        response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":"a-1"}'),
      )
    },
  })
  expect(await create()).toEqual({ id: 'a-1' })
  expect(sent).toEqual(['POST', JSON.stringify(BODY)])
  expect(standIn.calls[0]?.headers['content-type']).toBe('application/json')
})

test('never sends a member that the reference does not name', async () => {
  const { standIn, create } = await startAlerts()
  await expect(create({ triggered_count: 9 })).rejects.toThrow()
  expect(standIn.calls).toEqual([])
})

test.each([
  ['a server error', { status: 500, json: { error: 'Server error' } }],
  ['a gateway that gave up', { status: 504, raw: '<h1>Gateway timeout</h1>' }],
  ['an answer that is no JSON', { status: 201, raw: 'created' }],
  ['an answer without a body', { status: 204, raw: '' }],
])('reports an unclear result after %s, and does not retry', async (_, reply) => {
  const { standIn, create } = await startAlerts()
  standIn.play(ALERTS, reply)
  expect(await failureOf(create())).toMatchObject({ kind: 'unclear', set: 'earlier' })
  expect(standIn.calls).toHaveLength(1)
})

test('reports an unclear result after a broken connection or no answer', async () => {
  const { standIn, create } = await startAlerts({ ...TIMEOUTS, totalMs: 300 })
  standIn.play(ALERTS, { act: (response) => response.destroy() })
  expect(await failureOf(create())).toMatchObject({ kind: 'unclear' })
  standIn.play(ALERTS, { act: () => {} })
  expect(await failureOf(create())).toMatchObject({ kind: 'unclear' })
  expect(standIn.calls).toHaveLength(2)
})

test('reports that nothing was created if no vendor listens', async () => {
  const { upstream } = await startUpstream({ url: 'http://127.0.0.1:1' })
  const failure = await failureOf(upstream.call('createAlert', { body: BODY }, PERSON))
  expect(failure).toMatchObject({ kind: 'unavailable' })
})

test.each([
  [400, 'rejected'],
  [413, 'rejected'],
  [415, 'rejected'],
  [403, 'route_forbidden'],
  [429, 'rate_limited'],
])('knows that nothing was created after a %d', async (status, kind) => {
  const { standIn, create } = await startAlerts()
  standIn.play(ALERTS, { status, json: { error: 'Invalid category. Permitted: Ransomware' } })
  expect(await failureOf(create())).toMatchObject({ kind })
})
