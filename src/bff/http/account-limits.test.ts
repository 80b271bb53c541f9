import { expect, test } from 'vitest'
import { composeTable } from '#test/docs/compose-table.ts'
import { ADMIN, createTestBff, readProblem } from '#test/support/ask-bff.ts'
import { defineTestRoute } from '#test/support/define-test-route.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { BACKTESTS, EXPORTS } from './account-limits.ts'

const FILE = '/bff/file'
const TRIAL = '/bff/trial'

function withLimits(run: (bff: Awaited<ReturnType<typeof openLimited>>) => Promise<void>) {
  return withDatabase('bff', async (database) => {
    const bff = await openLimited(database)
    await database.query(
      `insert into account (email, name, role, password_hash)
       select 'bob@example.com', 'Bob', 'viewer', password_hash from account`,
    )
    await bff.signIn()
    await run(bff)
  })
}

async function openLimited(database: Parameters<typeof createTestBff>[0]) {
  const encoder = new TextEncoder()
  const routes = [
    defineTestRoute({
      method: 'GET',
      path: FILE,
      access: 'viewer',
      limit: EXPORTS,
      async answer() {
        let left = 3
        const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
          {
            pull(controller) {
              left -= 1
              if (left < 0) controller.close()
              else controller.enqueue(encoder.encode('line\n'))
            },
          },
          { highWaterMark: 0 },
        )
        return { stream, contentType: 'application/x-ndjson' }
      },
    }),
    defineTestRoute({
      method: 'POST',
      path: TRIAL,
      access: 'viewer',
      effect: 'none',
      limit: BACKTESTS,
      answer: async () => Promise.reject(new Error('It fails')),
    }),
  ]
  return createTestBff(database, { routes })
}

test('limits exactly exports, backtests, full-text searches, test messages and unsubscribe links', async () => {
  const limited = (await composeTable()).flatMap(({ method, path, limit }) =>
    limit ? [`${method} ${path}: ${limit.name}`] : [],
  )
  expect(limited.sort()).toEqual([
    'GET /bff/audit/export: exports',
    'GET /bff/exports/deliveries: exports',
    'GET /bff/exports/threats: exports',
    'POST /bff/alert-profiles/:id/prove: tests',
    'POST /bff/alert-profiles/:id/recipients/:recipient/test: tests',
    'POST /bff/alert-profiles/backtest: backtests',
    'POST /bff/alerts/:id/destinations/:destination/test: tests',
    'POST /bff/alerts/:id/test: tests',
    'POST /bff/alerts/test: tests',
    'POST /bff/full-text-searches: full-text searches',
    'POST /bff/unsubscriptions: links to stop messages',
  ])
})

test(
  'an account has two files under way, until one is read or given up; others have their own',
  withLimits(async ({ ask, createBrowser, logged }) => {
    const first = await ask(FILE)
    const second = await ask(FILE)
    const third = await ask(FILE)
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
    const problem = await readProblem(third)
    expect(problem).toMatchObject({
      status: 429,
      code: 'too_many_requests',
      title: 'Too many exports by your account',
      detail: expect.stringMatching(/2 at once and 10 a minute\. .*one file/),
    })

    const bob = createBrowser()
    await bob.signIn({ ...ADMIN, email: 'bob@example.com' })
    expect(await (await bob.ask(FILE)).text()).toBe('line\n'.repeat(3))

    expect(await first.text()).toBe('line\n'.repeat(3))
    const fourth = await ask(FILE)
    expect(fourth.status).toBe(200)
    expect((await ask(FILE)).status).toBe(429)
    await second.body?.cancel()
    expect((await ask(FILE)).status).toBe(200)
    expect(logged).toEqual([])
  }),
)

test(
  'a HEAD request for a file releases its slot at once',
  withLimits(async ({ ask }) => {
    for (let requestCount = 0; requestCount <= EXPORTS.atOnce; requestCount += 1) {
      const head = await ask(FILE, { method: 'HEAD' })
      expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
        ...[200, 'application/x-ndjson', ''],
      ])
    }
    expect(await (await ask(FILE)).text()).not.toBe('')
  }),
)

test(
  'a minute has room for so many, and the refusal says when the next one begins',
  withLimits(async ({ ask, wait }) => {
    for (let made = 0; made < EXPORTS.perMinute; made += 1) {
      expect(await (await ask(FILE)).text()).not.toBe('')
      wait(1_000)
    }
    const refused = await ask(FILE)
    expect(refused.status).toBe(429)
    expect(Math.abs(Number(refused.headers.get('retry-after')) - 50)).toBeLessThanOrEqual(1)
    wait(50_001)
    expect((await ask(FILE)).status).toBe(200)
    expect((await ask(FILE)).status).toBe(429)
  }),
)

test(
  'what fails is over, and backtests are counted apart from files',
  withLimits(async ({ ask }) => {
    const statuses = new Map<number, number>()
    for (let made = 0; made <= BACKTESTS.perMinute; made += 1) {
      const { status } = await ask(TRIAL, { method: 'POST' })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect([...statuses]).toEqual([
      [500, BACKTESTS.perMinute],
      [429, 1],
    ])
    expect((await ask(FILE)).status).toBe(200)
  }),
)
