import { auditRoutes } from '#bff/accounts/audit/audit-routes.ts'
import { createFlowCookie } from '#bff/accounts/oidc/oidc-flow.ts'
import { createOidcProvider, type OidcSettings } from '#bff/accounts/oidc/oidc-provider.ts'
import { oidcRoutes } from '#bff/accounts/oidc/oidc-routes.ts'
import { SessionStore } from '#bff/accounts/sign-in/session-store.ts'
import { createSignIn } from '#bff/accounts/sign-in/sign-in.ts'
import { signInRoutes } from '#bff/accounts/sign-in/sign-in-routes.ts'
import { profileRoutes } from '#bff/accounts/users/profile-routes.ts'
import { userRoutes } from '#bff/accounts/users/user-routes.ts'
import { AnswerCache } from '#bff/http/answer-cache.ts'
import { createBff } from '#bff/http/app.ts'
import { createCookies } from '#bff/http/cookies.ts'
import { createFastLane } from '#bff/http/fast-lane.ts'
import { createCspReportLog } from '#bff/http/guards/csp-report.ts'
import type { PublicAddress } from '#bff/http/guards/public-url.ts'
import type { ResponseHeaders } from '#bff/http/guards/response-headers.ts'
import type { Log } from '#bff/http/log.ts'
import type { BffRoute } from '#bff/http/route.ts'
import type { StaticFiles } from '#bff/http/static-files.ts'
import type { Database } from '#database/database.ts'

export type AssemblyOptions = {
  database: Database
  address: PublicAddress
  responseHeaders: ResponseHeaders
  staticFiles: StaticFiles
  /** The table without sign-in and accounts, which are always part of it. */
  routes: readonly BffRoute[]
  /** The provider of single sign-on, where there is one. */
  singleSignOn?: (OidcSettings & { secret: string }) | undefined
  log: Log
  isDraining: () => boolean
  /** Monotonic milliseconds. */
  clock?: () => number
}

/** Joins the app and the fast lane on one memory of sessions and answers. */
export function assembleBff({ database, address, routes, singleSignOn, clock, ...rest }: AssemblyOptions) {
  const cookies = createCookies(address.isHttps)
  const sessions = new SessionStore({
    database,
    clock,
    onError: (error) => rest.log.error('session-not-touched', error),
  })
  const shared = {
    sessions,
    sessionCookie: cookies.names.session,
    answers: new AnswerCache(clock),
    origins: address.origins,
  }
  const signIn = createSignIn(database, sessions)
  function singleSignOnRoutes({ secret, ...settings }: OidcSettings & { secret: string }): BffRoute[] {
    const redirectUri = new URL('/sign-in', address.url).href
    const provider = createOidcProvider({ ...settings, redirectUri, ...(clock && { clock }) })
    const flowCookie = createFlowCookie(secret, address.isHttps)
    return oidcRoutes({ database, provider, flowCookie, redirectUri, signIn, cookies, log: rest.log })
  }
  const app = createBff({
    ...rest,
    ...shared,
    database,
    logCspReport: createCspReportLog(rest.log, clock),
    routes: [
      ...signInRoutes({
        signIn,
        sessions,
        cookies,
        isLoopback: address.isLoopback,
        hasSingleSignOn: Boolean(singleSignOn),
      }),
      ...(singleSignOn ? singleSignOnRoutes(singleSignOn) : []),
      ...profileRoutes({ database, sessions, cookies }),
      ...userRoutes({ database, sessions, cookies, publicUrl: address.url.origin }),
      ...auditRoutes({ database }),
      ...routes,
    ],
  })
  const fastLane = createFastLane(shared)
  return { app, fastLane, sessions, answers: shared.answers }
}
