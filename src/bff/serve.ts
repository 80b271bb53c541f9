import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { BlockList } from 'node:net'
import { type AccountOptions, composeAccounts } from '#bff/accounts/compose-accounts.ts'
import { ensureFirstAccount, type FirstAccount } from '#bff/accounts/sign-in/first-account.ts'
import { endedSessionsChannel } from '#bff/accounts/sign-in/session-store.ts'
import { createSignInLink } from '#bff/accounts/sign-in/sign-in-link.ts'
import { createAccountLimits } from '#bff/http/account-limits.ts'
import type { AnswerCache } from '#bff/http/answer-cache.ts'
import { createBff } from '#bff/http/app.ts'
import { createCspReportLog } from '#bff/http/guards/csp-report.ts'
import { createPublicAddress } from '#bff/http/guards/public-url.ts'
import { commonHeaders, DATA_HEADERS } from '#bff/http/guards/response-headers.ts'
import type { Log } from '#bff/http/log.ts'
import type { BffRoute } from '#bff/http/route.ts'
import { serveCached } from '#bff/http/serve-cached.ts'
import { createBffServer, type OnAnswered } from '#bff/http/server.ts'
import { loadStaticFiles, type StaticFiles } from '#bff/http/static-files.ts'
import { unsubscribePage } from '#bff/pages/alerts/unsubscribe-page.ts'
import type { Role } from '#contract/bff/session.ts'
import { type Channel, listen } from '#database/listen.ts'
import type { OpenDatabase } from '#database/open-database.ts'

export type ServeOptions = {
  database: OpenDatabase
  host: string
  port: number
  publicUrl: string
  /** Whose X-Forwarded-For is believed; nobody's unless given. */
  trustedProxies?: BlockList
  /** The first account; its email address and password are generated unless given. */
  admin: { email?: string | undefined; password?: string | undefined }
  /** People may sign in by password; the default is true. */
  hasPasswordSignIn?: boolean
  /** Roles that need a second factor; none unless given. */
  factorRoles?: readonly Role[] | undefined
  /** Signs what browsers keep for us, such as cursors, and seals second factors. */
  secret: string
  /** The built app. */
  staticFolder: string
  log: Log
  routes: readonly BffRoute[]
  /** The secret signs what a browser keeps while it is at the provider. */
  singleSignOn?: AppOptions['singleSignOn']
  answers: AnswerCache
  /** The notices between processes. */
  channels?: readonly Channel[]
  /** Sessions of an account have ended, in any process. */
  onSessionsEnded?: (accountId: string) => void
  onAnswered?: OnAnswered | undefined
  isInMemory?: (() => boolean) | undefined
}

export type RunningBff = {
  url: string
  /** The account that an empty installation was given just now; null on every later start. */
  firstAccount: FirstAccount | null
  /** A fresh one-time link for the person at this machine; null where PUBLIC_URL is not this machine. */
  createSignInLink(): Promise<string | null>
  /** Lets `/readyz` answer 503, so that load balancers send requests elsewhere; everything else is still served. */
  announceStop(): void
  close(): Promise<void>
}

/** Gives any route table a port, with sign-in, guards and static files, on a migrated database. */
export async function serveBff({
  database,
  host,
  port,
  publicUrl,
  trustedProxies = new BlockList(),
  admin,
  staticFolder,
  hasPasswordSignIn = true,
  channels = [],
  onSessionsEnded,
  onAnswered,
  answers,
  log,
  ...rest
}: ServeOptions): Promise<RunningBff> {
  const address = createPublicAddress(publicUrl, { host, port })
  const staticFiles = await loadStaticFiles(staticFolder)
  let isDraining = false
  const {
    app,
    serveCached: serveFromMemory,
    sessions,
  } = composeApp({
    ...rest,
    hasPasswordSignIn,
    database,
    address,
    staticFiles,
    log,
    answers,
    isDraining: () => isDraining,
  })
  const stopListening = await listen(
    database.pool,
    [endedSessionsChannel(sessions, onSessionsEnded), ...channels],
    (error) => log.error('listener-lost', error),
  )
  const { server, drain } = createBffServer({
    app,
    serveCached: serveFromMemory,
    hosts: address.hosts,
    trustedProxies,
    refusalHeaders: { ...commonHeaders(address.isHttps), ...DATA_HEADERS },
    onAnswered,
    isDraining: () => isDraining,
    log,
  })
  try {
    await once(server.listen({ host, port }), 'listening')
  } catch (error) {
    await stopListening()
    throw error
  }

  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    isDraining = true
    await drain()
    await stopListening()
  }

  // Only now that nothing else can fail: its password is shown once.
  const firstAccount = await ensureFirstAccount(database, admin, address.url.hostname, hasPasswordSignIn)
  return {
    url: address.url.origin,
    firstAccount,
    createSignInLink: async () => (address.isLoopback ? createSignInLink(database, publicUrl) : null),
    announceStop() {
      isDraining = true
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}

export type AppOptions = AccountOptions & {
  staticFiles: StaticFiles
  /** The table without sign-in and accounts, which are always part of it. */
  routes: readonly BffRoute[]
  /** Returns true while the process stops: `/readyz` answers 503 then. */
  isDraining: () => boolean
  /** Returns true if the stored threats are in memory. */
  isInMemory?: (() => boolean) | undefined
  answers: AnswerCache
}

/** Joins the app and what serves cached answers before it on one cache of sessions and answers. */
export function composeApp({
  staticFiles,
  routes,
  isDraining,
  isInMemory = () => false,
  answers,
  ...options
}: AppOptions) {
  const { database, address, clock, log } = options
  const { sessions, sessionCookie, ...accounts } = composeAccounts({
    ...options,
    firstFiles: staticFiles.firstFiles,
  })
  const limits = createAccountLimits(clock)
  const shared = { sessions, sessionCookie, answers, origins: address.origins }
  const table = [...accounts.routes, ...routes]
  const logCspReport = createCspReportLog(log, clock)
  const app = createBff({
    ...shared,
    isHttps: address.isHttps,
    staticFiles,
    isDraining,
    log,
    database,
    limits,
    logCspReport,
    readsWithoutDatabase: () => isInMemory() && sessions.hasLastSeen(),
    onRefused: accounts.onRefused,
    logOutByProvider: accounts.logOutByProvider,
    pages: [...accounts.pages, unsubscribePage()],
    leadAway: accounts.leadAway,
    routes: table,
  })
  return {
    app,
    serveCached: (request: IncomingMessage, response: ServerResponse) =>
      serveCached(shared, request, response),
    sessions,
    table,
  }
}
