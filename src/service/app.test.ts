import { expect, test } from 'vitest'
import { createService } from '#service/app.ts'
import { insertThreats } from '#service/threats/insert-threats.ts'
import { createTestService, readError } from '#test/support/service/create-test-service.ts'
import { makeThreat } from '#test/support/service/make-threat.ts'
import { withDatabase } from '#test/support/with-database.ts'

const FULL = { earlierPlan: 'enterprise', v1Plan: 'defend' } as const
const RATE_NAMES = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

const UNANSWERED: [method: string, path: string, status: number, allow: string | null][] = [
  ['GET', '/nothing', 404, null],
  ['GET', '/api/nothing', 404, null],
  ['GET', '/api/feed/', 404, null],
  ['GET', '/api/FEED', 404, null],
  ['GET', '/api/v1/threats/a/b', 404, null],
  ['POST', '/api/feed', 405, 'GET, HEAD'],
  ['DELETE', '/api/feed/some-id', 405, 'GET, HEAD'],
  ['PUT', '/api/alerts', 405, 'GET, HEAD, POST'],
  ['PATCH', '/api/metrics', 405, 'GET, HEAD'],
  ['OPTIONS', '/api/v1/threats', 405, 'GET, HEAD'],
  ['POST', '/api/v1/countries/DE', 405, 'GET, HEAD'],
  ['GET', '/api/v1/threats/%ff', 400, null],
  ['GET', '/api/feed/%00', 400, null],
  ['GET', '/api/feed?search=%E4', 400, null],
  ['GET', '/api/feed?search=a%00b', 400, null],
]
test(
  'refuses paths and methods that are not in the reference, in one shape',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database, FULL)
    for (const [method, path, status, allow] of UNANSWERED) {
      const answer = await ask(path, { method })
      expect.soft(answer.status, `${method} ${path}`).toBe(status)
      expect.soft(answer.headers.get('allow')).toBe(allow)
      expect.soft(await readError(answer)).not.toBe('')
      for (const name of RATE_NAMES) expect.soft(answer.headers.get(name), name).toMatch(/^\d+$/)
      expect.soft(answer.headers.get('x-lantern-service')).toBe('own')
      expect.soft(answer.headers.get('cache-control')).toBe('no-store')
      expect.soft(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
  }),
)

test(
  'answers HEAD as GET, without a body',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database, FULL)
    const answer = await ask('/api/v1/threats', { method: 'HEAD' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-ratelimit-limit')).toBe('6000')
    expect(await answer.text()).toBe('')
  }),
)

test.each([
  ['one of a query that fails', new Error('column "secret" does not exist'), 500],
  [
    'a statement that takes too long',
    Object.assign(new Error('canceling statement'), { code: '57014' }),
    503,
  ],
  ['a full pool', new Error('timeout exceeded when trying to connect'), 503],
  ['a transaction that waits', new Error('waited too long for a turn: 5000 ms'), 503],
  ['a database that is gone', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 503],
  ['a full disk', Object.assign(new Error('could not extend file'), { code: '53100' }), 503],
])('reveals no details of %s', async (_, failure, status) => {
  const logged: unknown[] = []
  const fail = () => Promise.reject(failure)
  const app = createService({
    database: { query: fail, transaction: fail },
    secret: 'secret',
    publicUrl: 'https://service.example',
    log: (event, facts) => logged.push(event, ...Object.values(facts)),
  })
  const answer = await app.request('/readyz')
  const body = await answer.text()
  expect(answer.status).toBe(status)
  expect(body).toMatch(/^\{"error":"(?:Internal server error|The service is busy\. Try again shortly\.)"\}$/)
  expect(answer.headers.get('retry-after')).toBe(status === 503 ? '1' : null)
  expect(logged.join()).toContain(failure.message)
  expect(logged).toContain(answer.headers.get('x-request-id'))
})

test(
  'fails closed when requests cannot be counted',
  withDatabase('service', async (database) => {
    const { token } = await createTestService(database, FULL)
    const app = createService({
      database: {
        ...database,
        query: (text, values) =>
          text.includes('request_day')
            ? Promise.reject(Object.assign(new Error('deadlock'), { code: '57014' }))
            : database.query(text, values),
      },
      secret: 'secret',
      publicUrl: 'https://service.example',
    })
    const answer = await app.request('/api/v1/threats', { headers: { authorization: `Bearer ${token}` } })
    expect(answer.status).toBe(503)
  }),
)

test(
  'logs each request by id, without its key and its question',
  withDatabase('service', async (database) => {
    const { ask, token, keyId, logged } = await createTestService(database, FULL)
    const answer = await ask('/api/feed?search=acquisition')
    expect(logged).toEqual([
      {
        event: 'request',
        facts: {
          requestId: answer.headers.get('x-request-id'),
          method: 'GET',
          path: '/api/feed',
          status: 200,
          ms: expect.any(Number),
          keyId,
        },
      },
    ])
    expect(JSON.stringify(logged)).not.toContain(token)
    expect(JSON.stringify(logged)).not.toContain('acquisition')
  }),
)

test(
  'says on every answer that it holds generated records, while it does',
  withDatabase('service', async (database) => {
    const empty = await createTestService(database, FULL)
    expect((await empty.ask('/api/feed')).headers.has('x-lantern-data')).toBe(false)

    await insertThreats(database, [makeThreat({ isDemo: true })])
    const { ask } = await createTestService(database, FULL)
    for (const path of ['/api/feed', '/api/v1/threats?limit=0', '/api/nothing', '/api/openapi.json']) {
      expect((await ask(path)).headers.get('x-lantern-data'), path).toBe('demo')
    }
    expect((await ask('/api/feed', { token: null })).headers.get('x-lantern-data')).toBe('demo')
  }),
)

test(
  'reports its health without a key',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database)
    expect((await ask('/healthz', { token: null })).status).toBe(200)
    expect((await ask('/readyz', { token: null })).status).toBe(200)
  }),
)
