import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, Hono } from 'hono'
import { accepts } from 'hono/accepts'
import { html } from 'hono/html'
import { findForgedForm, findForgery } from '#bff/http/guards/request-guard.ts'
import { commonHeaders, DATA_HEADERS, plainPageHeaders } from '#bff/http/guards/response-headers.ts'
import type { Database } from '#database/database.ts'
import { isDatabaseAway, isDatabaseUnwritable, isStatementTooSlow } from '#database/is-database-away.ts'
import type { BffEnvironment } from './app-environment.ts'
import { readCookie } from './cookies.ts'
import type { Log } from './log.ts'
import { renderDocument, STYLE_HASH } from './page-document.ts'
import { describePage, type PageRequest, type PageRoute, showPage, takeForm } from './page-route.ts'
import { DATABASE_UNWRITABLE, notFound, ProblemError, problemResponse } from './problem-error.ts'
import { readForm, readJson } from './read-input.ts'
import type { BffRoute } from './route.ts'
import { answerRoute, type RouteHandlerDependencies } from './route-handler.ts'
import type { StaticFiles } from './static-files.ts'

/** The client is a machine with little patience. */
const READY_WITHIN_MS = 1_000
const RETRY_SOON = { 'retry-after': '10' }

type SingleSignOnLogout = (
  form: URLSearchParams,
  asker: { address: string; requestId: string },
) => Promise<void>

export type BffDependencies = RouteHandlerDependencies & {
  database: Database
  /** The closed table: nothing else under `/bff/` is answered. */
  routes: readonly BffRoute[]
  /** Origins of our own pages. */
  origins: ReadonlySet<string>
  /** Pages that the BFF writes itself. */
  pages?: readonly PageRoute[]
  staticFiles: StaticFiles
  /** Returns where to redirect a browser that may not open a page of the app; null if it may. */
  leadAway?: (request: PageRequest) => Promise<string | null>
  isDraining: () => boolean
  /** Returns true if somebody can read pages while the database is away; nobody can without it. */
  readsWithoutDatabase?: () => boolean
  logCspReport: (reports: unknown, address: string) => void
  /** Receives each problem that is answered. */
  onRefused: (problem: ProblemError['problem'], facts: RefusedRequest) => void
  /** Handles the form that a single sign-on provider posts when somebody has signed out there. */
  logOutByProvider?: SingleSignOnLogout | undefined
  log: Log
}

export type RefusedRequest = {
  /** The route's method and path template; of the guard's, where it came no further. */
  route: string
  isForged: boolean
  address: string
  requestId: string
  sessionToken: string | null
}

/** The only server that a browser talks to: the route table behind its guards, health, and the built app. */
export function createBff(deps: BffDependencies): Hono<BffEnvironment> {
  const { routes, pages = [], origins, isHttps, staticFiles, isDraining, logCspReport, log } = deps
  const reportRefused = ({ problem }: ProblemError, c: Context<BffEnvironment>, isForged: boolean) =>
    deps.onRefused(problem, {
      route: `${c.req.method} ${c.req.routePath}`,
      isForged,
      address: c.env?.peerAddress ?? '',
      requestId: c.var.requestId,
      sessionToken: readCookie(c.req.header('cookie'), deps.sessionCookie),
    })
  const defaultHeaders = Object.entries({ ...commonHeaders(isHttps), ...DATA_HEADERS })
  const forgeries = new WeakSet<ProblemError>()
  const app = new Hono<BffEnvironment>()

  app.use(async (c, next) => {
    c.set('requestId', c.env?.facts?.id ?? randomUUID())
    await next()
    for (const [name, value] of defaultHeaders) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value)
    }
  })

  app.get('/healthz', (c) => c.text('ok'))
  app.get('/readyz', async (c) => {
    const isReady = !isDraining() && (await hasReaders(deps))
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
    const reports = await readJson(c.req.raw, { type: 'application/reports+json' })
    logCspReport(reports, c.env?.peerAddress ?? '')
    return c.body(null, 204)
  })

  // Nor do providers: what proves this one is its signature, and no session is needed to end some.
  const { logOutByProvider } = deps
  if (logOutByProvider) {
    app.post('/bff/back-channel-logout', async (c) => {
      const asker = { address: c.env?.peerAddress ?? '', requestId: c.var.requestId }
      await logOutByProvider(await readForm(c.req.raw), asker)
      return c.body(null, 200)
    })
  }

  const refuseForgery = (forgery: ProblemError | null) => {
    if (!forgery) return
    forgeries.add(forgery)
    throw forgery
  }
  for (const page of pages) {
    app.get(page.path, (c) => showPage(page, c))
    app.post(page.path, (c) => {
      if (!page.isPostedByPrograms) refuseForgery(findForgedForm((name) => c.req.header(name), origins))
      return takeForm(page, c, (path, init, env) => app.request(path, init, env))
    })
    app.all(page.path, () => refuseMethod(['GET', 'HEAD', 'POST']))
  }
  app.use('/bff/*', async (c, next) => {
    refuseForgery(findForgery((name) => c.req.header(name), origins))
    await next()
  })
  for (const route of routes) app.on(route.method, route.path, (c) => answerRoute(route, deps, c))
  for (const [path, allowed] of methodsByPath(routes)) app.all(path, () => refuseMethod(allowed))
  app.all('/bff/*', () => {
    throw nothingHere()
  })

  app.get('*', async (c) => {
    const isNavigation = c.req.header('sec-fetch-mode') === 'navigate'
    const page = staticFiles.findPage(c.req.path)
    const file = page ?? staticFiles.find(c.req.path)
    if (file === null) {
      if (staticFiles.findPage('/') && isMistypedPage(c)) return pageNotFound()
      throw nothingHere()
    }
    // A signed-out person is redirected to the sign-in page without waiting for the app.
    const away = isNavigation && page && (await deps.leadAway?.(describePage(c)))
    if (away) return c.redirect(away, 302)
    const { status, headers, body } = await file.reply(
      c.req.header('accept-encoding'),
      c.req.header('if-none-match'),
    )
    return new Response(body, { status, headers })
  })
  app.all('*', (c) => {
    if (!(staticFiles.findPage(c.req.path) ?? staticFiles.find(c.req.path))) throw nothingHere()
    refuseMethod(['GET', 'HEAD'])
  })

  app.onError((error, c) => {
    if (error instanceof ProblemError) reportRefused(error, c, forgeries.has(error))
    return problemResponse(toProblem(error, c, log), c.var.requestId)
  })
  return app
}

/**
 * Returns true if pages can be read: the server listens before the first account exists, so somebody could sign in. While
 * the database is away, signed-in people still read what is in memory.
 */
async function hasReaders({ database, readsWithoutDatabase, log }: BffDependencies): Promise<boolean> {
  const hasFromMemory = () => readsWithoutDatabase?.() ?? false
  const hasAccounts = database.query('select from account limit 1').then(
    ({ rowCount }) => rowCount > 0,
    (error: unknown) => {
      log.error('database-unreachable', error)
      return isDatabaseAway(error) && hasFromMemory()
    },
  )
  return Promise.race([hasAccounts, sleep(READY_WITHIN_MS, null, { ref: false }).then(hasFromMemory)])
}

function nothingHere(): ProblemError {
  return notFound('There is nothing at this address. Lantern begins at /.')
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
      code: 'database_unavailable',
      detail: 'This needs the database. Try again in a moment: it goes on by itself.',
      headers: RETRY_SOON,
      cause: error,
    })
  }
  if (isDatabaseUnwritable(error)) {
    return new ProblemError({
      code: 'database_unavailable',
      title: "Lantern's own database takes no writes",
      detail: DATABASE_UNWRITABLE,
      headers: RETRY_SOON,
      cause: error,
    })
  }
  if (isStatementTooSlow(error)) {
    return new ProblemError({
      code: 'database_unavailable',
      title: "Lantern's own database is too busy",
      detail: 'It did not answer in time. Try again in a moment.',
      headers: RETRY_SOON,
      cause: error,
    })
  }
  return new ProblemError({
    code: 'internal',
    detail: 'Try again. If it stays so, give an admin the request id.',
    cause: error,
  })
}

/** Programs look for something there, even one that a person has given the address to. */
const MACHINE_PATH = /^\/(?:api|assets|bff|feeds|mcp|taxii2|\.well-known)(?:\/|$)/
const FILE_NAME = /\.[^/]*$/
const PROBLEM = 'application/problem+json'

/** Returns true if a browser has opened an address that looks like a page's. Other requests get a problem. */
function isMistypedPage(c: Context): boolean {
  if (MACHINE_PATH.test(c.req.path) || FILE_NAME.test(c.req.path)) return false
  const supports = [PROBLEM, 'application/json', 'text/html']
  return accepts(c, { header: 'Accept', supports, default: PROBLEM }) === 'text/html'
}

async function pageNotFound(): Promise<Response> {
  const document = await renderDocument({
    title: 'Page not found',
    heading: 'Page not found',
    content: html`<div class="card"><p>Lantern has no page at this address. Check it for typing errors, or start from the overview.</p>
<a class="button primary" href="/">Open the overview</a></div>`,
  })
  return new Response(document, {
    status: 404,
    headers: { ...plainPageHeaders(STYLE_HASH), 'content-type': 'text/html; charset=utf-8' },
  })
}
