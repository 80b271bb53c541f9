import { expect } from 'vitest'
import { insertFirstAccount } from '#bff/accounts/sign-in/account-queries.ts'
import { createPasswords } from '#bff/accounts/sign-in/password-hash.ts'
import { AnswerCache } from '#bff/http/answer-cache.ts'
import { createPublicAddress } from '#bff/http/guards/public-url.ts'
import { createLog } from '#bff/http/log.ts'
import type { BffRoute } from '#bff/http/route.ts'
import { loadStaticFiles } from '#bff/http/static-files.ts'
import { type AppOptions, composeApp } from '#bff/serve.ts'
import { type Problem, problemSchema } from '#contract/bff/problem.ts'
import { sessionAnswerSchema } from '#contract/bff/session.ts'
import type { Database } from '#database/database.ts'

export const ADMIN = { email: 'ada@example.com', password: 'correct horse battery staple' }

/** Made once for all tests of a file: a hash costs a tenth of a second. */
const adminHash = createPasswords().hash(ADMIN.password)

export type TestBffOptions = {
  routes?: readonly BffRoute[]
  publicUrl?: string
  staticFolder?: string
  singleSignOn?: AppOptions['singleSignOn']
  hasPasswordSignIn?: boolean
  factorRoles?: AppOptions['factorRoles']
  secret?: string
}

export type TestRequest = {
  method?: string
  /** Sent as JSON; a string goes as it is. */
  body?: unknown
  headers?: Record<string, string>
  peerAddress?: string
}

/** The BFF without a socket, with one admin and a browser's cookie jar. Time moves when `wait` is called. */
export async function createTestBff(
  database: Database,
  {
    routes = [],
    publicUrl = 'http://localhost:4173',
    staticFolder = '/nonexistent',
    singleSignOn,
    hasPasswordSignIn,
    factorRoles,
    secret = 'secret-of-the-tests-and-long-enough',
  }: TestBffOptions = {},
) {
  const address = createPublicAddress(publicUrl, { host: '127.0.0.1', port: 4173 })
  const logged: string[] = []
  let elapsedMs = 0
  await insertFirstAccount(database, { email: ADMIN.email, name: 'ada', passwordHash: await adminHash })
  const { app, serveCached, sessions, table } = composeApp({
    answers: new AnswerCache(() => elapsedMs),
    database,
    address,
    routes,
    singleSignOn,
    hasPasswordSignIn,
    factorRoles,
    secret,
    staticFiles: await loadStaticFiles(staticFolder),
    log: createLog((line) => logged.push(line)),
    isDraining: () => false,
    clock: () => elapsedMs,
  })

  function createBrowser(peerAddress = '127.0.0.1') {
    const cookies = new Map<string, string>()
    async function ask(
      path: string,
      { method, body, headers = {}, ...rest }: TestRequest = {},
    ): Promise<Response> {
      const response = await app.request(
        path,
        {
          method: method ?? (body === undefined ? 'GET' : 'POST'),
          headers: {
            'x-lantern': '1',
            cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        },
        { peerAddress: rest.peerAddress ?? peerAddress },
      )
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      return response
    }
    return {
      ask,
      cookies,
      signIn: (credentials = ADMIN) => ask('/bff/sign-in', { body: credentials }),
      /** Null where it is signed in no more. */
      readSession: async (headers?: Record<string, string>) =>
        sessionAnswerSchema.parse(await (await ask('/bff/session', { headers })).json()),
    }
  }

  return {
    ...createBrowser(),
    app,
    serveCached,
    sessions,
    table,
    logged,
    createBrowser,
    wait(ms: number) {
      elapsedMs += ms
    },
  }
}

/** The problem that an answer is, with the content type and the status that it should have. */
export async function readProblem(response: Response): Promise<Problem> {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const problem = problemSchema.parse(await response.json())
  expect(problem.status).toBe(response.status)
  return problem
}
