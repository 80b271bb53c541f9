import { Hono } from 'hono'
import { onTestFinished } from 'vitest'
import { composeRooms, type RoomOptions } from '#bff/compose.ts'
import { createLog } from '#bff/http/log.ts'
import { ProblemError, problemResponse } from '#bff/http/problem-error.ts'
import { parseInput, readQuery } from '#bff/http/read-input.ts'
import type { ReaderSession } from '#bff/http/route.ts'
import type { Database } from '#database/database.ts'
import { USUAL_HISTORY, USUAL_NOTIFY } from '#test/support/usual-settings.ts'
import { createVirtualClock } from './start-governed.ts'
import { takeDatabase } from './with-database.ts'

const SESSION: ReaderSession = {
  id: 's-1',
  user: { id: 'u-1', email: 'ada@example.com', name: 'Ada', role: 'viewer' },
  expiresAt: '2099-01-01T00:00:00Z',
  hasFreshProof: true,
  mustEnrol: false,
}

export type DataRequest = { isBackground?: boolean; isRefresh?: boolean; signal?: AbortSignal }

export type TestDataOptions = Partial<Omit<RoomOptions, 'upstream' | 'database' | 'clock'>> & {
  upstream: Partial<RoomOptions['upstream']> & { url: string }
}

/** With a database of its own, until the test is over. */
export async function createTestData(options: TestDataOptions) {
  const { close, ...data } = openData(await takeDatabase('bff'), options)
  onTestFinished(close)
  return data
}

/** The data's routes without sign-in, the cache of bytes and the window's sync. Time moves when `wait` is called. */
export function openData(database: Database, { upstream, ...options }: TestDataOptions) {
  const logged: string[] = []
  const clock = createVirtualClock()
  const {
    routes,
    upstream: client,
    close,
  } = composeRooms({
    history: USUAL_HISTORY,
    notify: USUAL_NOTIFY,
    upstream: { apiKey: 'key-of-the-tests', kind: 'vendor', ...upstream },
    database,
    secret: 'secret-of-the-tests',
    origin: 'http://localhost:4173',
    log: createLog((line) => logged.push(line)),
    clock,
    ...options,
  })

  const app = new Hono<{ Bindings: { ask: DataRequest } }>()
  for (const route of routes) {
    app.on(route.method, route.path, async (c) => {
      const query = readQuery(new URL(c.req.url).searchParams, route.query)
      const answer = await route.answer({
        params: route.params && parseInput(route.params, c.req.param()),
        query: route.query && parseInput(route.query, query),
        body: undefined,
        session: SESSION,
        request: {
          id: 'r-1',
          route: `${route.method} ${route.path}`,
          address: '127.0.0.1',
          cookie: () => null,
          isBackground: c.env.ask.isBackground ?? false,
          userAgent: '',
          isRefresh: c.env.ask.isRefresh ?? false,
          signal: c.env.ask.signal ?? new AbortController().signal,
        },
      })
      if ('json' in answer) return c.json(answer.json)
      return 'bytes' in answer
        ? c.body(answer.bytes, 200, { 'content-type': answer.contentType })
        : c.body(null)
    })
  }
  app.onError((error) => {
    if (error instanceof ProblemError) return problemResponse(error, 'r-1')
    throw error
  })

  return {
    logged,
    upstream: client,
    close,
    wait: clock.wait,
    ask: async (path: string, ask: DataRequest = {}) => app.request(path, {}, { ask }),
  }
}
