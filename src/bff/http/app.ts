import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { findForgery } from '#bff/http/guards/request-guard.ts'
import type { Database } from '#database/database.ts'
import { isDatabaseAway } from '#database/is-database-away.ts'
import type { BffEnvironment } from './app-environment.ts'
import type { Log } from './log.ts'
import { ProblemError, problemResponse } from './problem-error.ts'
import { readJson } from './read-input.ts'
import type { BffRoute } from './route.ts'
import { createRouteHandler, type RouteHandlerDependencies } from './route-handler.ts'
import type { StaticFiles } from './static-files.ts'

export type BffDependencies = RouteHandlerDependencies & {
  database: Database
  /** The closed table: nothing else under `/bff/` is answered. */
  routes: readonly BffRoute[]
  /** Origins of our own pages. */
  origins: ReadonlySet<string>
  staticFiles: StaticFiles
  isDraining: () => boolean
  logCspReport: (reports: unknown) => void
  log: Log
}

/** The only server that a browser talks to: the route table behind its guards, health, and the built app. */
export function createBff(deps: BffDependencies): Hono<BffEnvironment> {
  const { database, routes, origins, responseHeaders, staticFiles, isDraining, logCspReport, log } = deps
  const defaultHeaders = Object.entries({ ...responseHeaders.common, ...responseHeaders.data })
  const app = new Hono<BffEnvironment>()

  app.use(async (c, next) => {
    c.set('requestId', randomUUID())
    await next()
    for (const [name, value] of defaultHeaders) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value)
    }
  })

  app.get('/healthz', (c) => c.text('ok'))
  app.get('/readyz', async (c) => {
    const isReady = !isDraining() && (await hasAccount(database, log))
    return isReady ? c.text('ready') : c.text('not ready', 503)
  })
  // Readers of feeds send none of our headers: the address is the secret, and there is nothing to do with it but read.
  app.get('/feeds/:fileName', (c) =>
    app.request(
      `/bff/feeds/${encodeURIComponent(c.req.param('fileName'))}`,
      { headers: { 'x-lantern': '1' } },
      c.env,
    ),
  )
  // Browsers send reports by themselves, without our header: this one path comes before the guard.
  app.post('/bff/csp-report', async (c) => {
    logCspReport(await readJson(c.req.raw, 'application/reports+json'))
    return c.body(null, 204)
  })

  app.use('/bff/*', async (c, next) => {
    const forgery = findForgery((name) => c.req.header(name), origins)
    if (forgery) throw forgery
    await next()
  })
  for (const route of routes) app.on(route.method, route.path, createRouteHandler(route, deps))
  for (const [path, allowed] of methodsByPath(routes)) app.all(path, () => refuseMethod(allowed))
  app.all('/bff/*', () => {
    throw new ProblemError({ code: 'not_found', detail: 'There is nothing at this address.' })
  })

  app.get('*', async (c) => {
    const file = staticFiles.find(c.req.path, c.req.header('sec-fetch-mode') === 'navigate')
    if (!file) return c.text('Not found', 404)
    const { status, headers, body } = await file.reply(
      c.req.header('accept-encoding'),
      c.req.header('if-none-match'),
    )
    return new Response(body, { status, headers })
  })
  app.all('*', () => refuseMethod(['GET', 'HEAD']))

  app.onError((error, c) => problemResponse(toProblem(error, c, log), c.var.requestId))
  return app
}

/** Whether somebody could sign in: the server listens before the first account is made. */
async function hasAccount(database: Database, log: Log): Promise<boolean> {
  return database.query('select from account limit 1').then(
    ({ rowCount }) => rowCount > 0,
    (error: unknown) => {
      log.error('database-unreachable', error)
      return false
    },
  )
}

function methodsByPath(routes: readonly BffRoute[]): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { path, method } of routes) {
    const known = methods.get(path) ?? []
    methods.set(path, method === 'GET' ? [...known, 'GET', 'HEAD'] : [...known, method])
  }
  return methods
}

function refuseMethod(allowed: readonly string[]): never {
  throw new ProblemError({
    code: 'bad_request',
    status: 405,
    title: 'The method is not allowed here',
    detail: `Use ${allowed.join(' or ')}.`,
    headers: { allow: allowed.join(', ') },
  })
}

/** The caller's mistake is explained in full and not logged; ours is logged in full and reported without details. */
function toProblem(error: Error, c: Context<BffEnvironment>, log: Log): ProblemError {
  const facts = { requestId: c.var.requestId, method: c.req.method, route: c.req.routePath }
  if (error instanceof ProblemError) {
    const { code, status } = error.problem
    if (status >= 500) log.warn('request-failed', { ...facts, code })
    return error
  }
  log.error('request-failed', error, facts)
  if (isDatabaseAway(error)) {
    return new ProblemError({
      code: 'upstream_unavailable',
      status: 503,
      title: "Lantern's own database is away",
      detail: 'This needs the database. Try again in a moment: it goes on by itself.',
      cause: error,
    })
  }
  return new ProblemError({
    code: 'internal',
    detail: 'Try again. If it stays so, give an admin the request id.',
    cause: error,
  })
}
