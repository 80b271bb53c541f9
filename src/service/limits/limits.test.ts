import { expect, test } from 'vitest'
import { errorSchema, rateLimitErrorSchema } from '#contract/upstream/error.ts'
import { createService } from '#service/app.ts'
import type { NewKey } from '#service/keys/create-key.ts'
import { createTestService } from '#test/support/service/create-test-service.ts'
import { withDatabase } from '#test/support/with-database.ts'

const NOON = '2026-06-15T12:00:23.000Z'
const MINUTE_END = Date.parse('2026-06-15T12:01:00Z') / 1000
const DAY_END = Date.parse('2026-06-16T00:00:00Z') / 1000

const rateOf = ({ headers }: Response) => [
  Number(headers.get('x-ratelimit-limit')),
  Number(headers.get('x-ratelimit-remaining')),
  Number(headers.get('x-ratelimit-reset')),
]

const PLANS: [plans: Partial<NewKey>, path: string, perMinute: number][] = [
  [{ earlierPlan: 'detection' }, '/api/feed', 100],
  [{ earlierPlan: 'professional' }, '/api/alerts', 500],
  [{ earlierPlan: 'enterprise' }, '/api/alerts', 6000],
  [{ earlierPlan: 'enterprise', earlierRequestsPerMinute: 750 }, '/api/alerts', 750],
  [{ v1Plan: 'trial', trialDays: 3650 }, '/api/v1/threats', 5],
  [{ v1Plan: 'protection' }, '/api/v1/threats', 10],
  [{ v1Plan: 'defend' }, '/api/v1/threats', 6000],
]
test(
  'allows each plan its requests a minute',
  withDatabase('service', async (database) => {
    for (const [plans, path, perMinute] of PLANS) {
      const { ask, keyId, setNow } = await createTestService(database, plans)
      setNow(NOON)
      expect(rateOf(await ask(path))).toEqual([perMinute, perMinute - 1, MINUTE_END])

      await database.query('update request_day set minute_requests = $1 where key_id = $2', [
        perMinute - 1,
        keyId,
      ])
      expect(rateOf(await ask(path))).toEqual([perMinute, 0, MINUTE_END])
      const refused = await ask(path)
      expect(refused.status).toBe(429)
      expect(rateOf(refused)).toEqual([perMinute, 0, MINUTE_END])
      expect(refused.headers.get('retry-after')).toBe('37')
    }
  }),
)

test(
  'says in the earlier set how long to wait',
  withDatabase('service', async (database) => {
    const { ask, setNow } = await createTestService(database, {
      earlierPlan: 'enterprise',
      earlierRequestsPerMinute: 1,
    })
    setNow(NOON)
    await ask('/api/alerts')
    expect(errorSchema.parse(await (await ask('/api/alerts')).json())).toEqual({
      error: 'Rate limit exceeded. Try again in 37 seconds.',
    })
    setNow('2026-06-15T12:00:59.500Z')
    expect(errorSchema.parse(await (await ask('/api/alerts')).json())).toEqual({
      error: 'Rate limit exceeded. Try again in 1 second.',
    })
  }),
)

test(
  'adds in v1 the seconds as a number',
  withDatabase('service', async (database) => {
    const { ask, setNow } = await createTestService(database, { v1Plan: 'protection' })
    setNow(NOON)
    for (let request = 0; request < 10; request++) expect((await ask('/api/v1/threats')).status).toBe(200)
    expect(rateLimitErrorSchema.parse(await (await ask('/api/v1/threats')).json())).toEqual({
      error: 'Rate limit exceeded. Try again in 37 seconds.',
      retry_after: 37,
    })
  }),
)

test(
  'resets with each UTC minute',
  withDatabase('service', async (database) => {
    const { ask, setNow } = await createTestService(database, { v1Plan: 'protection' })
    setNow('2026-06-15T12:00:59.999Z')
    for (let request = 0; request < 10; request++) await ask('/api/v1/threats')
    expect((await ask('/api/v1/threats')).status).toBe(429)
    setNow('2026-06-15T12:01:00.000Z')
    expect(rateOf(await ask('/api/v1/threats'))).toEqual([10, 9, MINUTE_END + 60])
  }),
)

test(
  'counts requests of the day, too, and reports the limit with the smaller remaining share',
  withDatabase('service', async (database) => {
    const { ask, setNow } = await createTestService(database, { v1Plan: 'protection' })
    setNow(NOON)
    await ask('/api/v1/threats')
    await database.query('update request_day set requests = 990')
    expect(rateOf(await ask('/api/v1/threats'))).toEqual([1000, 9, DAY_END])

    await database.query('update request_day set requests = 1000')
    const refused = await ask('/api/v1/threats')
    expect(refused.status).toBe(429)
    expect(rateOf(refused)).toEqual([1000, 0, DAY_END])
    expect(refused.headers.get('retry-after')).toBe(String(DAY_END - Date.parse(NOON) / 1000))

    setNow('2026-06-16T00:00:00.000Z')
    expect(rateOf(await ask('/api/v1/threats'))).toEqual([10, 9, DAY_END + 60])
  }),
)

test(
  'counts every answer but 429, whatever it says',
  withDatabase('service', async (database) => {
    const { ask, setNow } = await createTestService(database, { v1Plan: 'trial', trialDays: 3650 })
    setNow(NOON)
    const paths = ['/api/v1/threats', '/api/v1/threats?limit=x', '/api/v1/threats/none', '/api/v1/nothing']
    for (const [index, path] of paths.entries()) expect(rateOf(await ask(path))[1], path).toBe(4 - index)
    expect(rateOf(await ask('/api/v1/threats', { method: 'HEAD' }))[1]).toBe(0)
    for (let request = 0; request < 3; request++) await ask('/api/v1/threats')

    const { rows } = await database.query('select requests, minute_requests from request_day')
    expect(rows).toEqual([{ requests: 5, minute_requests: 5 }])
  }),
)

test(
  'counts each route set and each key for itself',
  withDatabase('service', async (database) => {
    const plans = { earlierPlan: 'professional', v1Plan: 'protection' } as const
    const one = await createTestService(database, plans)
    const other = await createTestService(database, plans)
    one.setNow(NOON)
    other.setNow(NOON)
    expect(rateOf(await one.ask('/api/v1/threats'))[1]).toBe(9)
    expect(rateOf(await one.ask('/api/alerts'))[1]).toBe(499)
    expect(rateOf(await other.ask('/api/v1/threats'))[1]).toBe(9)
  }),
)

test(
  'permits no more than the limit with many simultaneous requests to two processes',
  withDatabase('service', async (database) => {
    const { token } = await createTestService(database, { v1Plan: 'protection' })
    const [first, second] = [0, 1].map(() =>
      createService({
        database,
        secret: 'a secret of the tests',
        publicUrl: 'https://service.example',
        now: () => new Date(NOON),
      }),
    )
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        (index % 2 === 0 ? first : second)?.request('/api/v1/threats', {
          headers: { authorization: `Bearer ${token}` },
        }),
      ),
    )
    const remaining = answers.flatMap((answer) => (answer?.status === 200 ? [rateOf(answer)[1]] : []))
    expect(remaining.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  }),
)

test(
  'opens no second minute when the clock steps back',
  withDatabase('service', async (database) => {
    const { ask, setNow } = await createTestService(database, { v1Plan: 'protection' })
    setNow('2026-06-15T12:01:00.000Z')
    for (let request = 0; request < 10; request++) await ask('/api/v1/threats')
    setNow('2026-06-15T12:00:30.000Z')
    const refused = await ask('/api/v1/threats')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('90')
  }),
)
