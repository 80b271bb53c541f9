import type { Database } from '#database/database.ts'
import { createBff } from './app.ts'
import { auditRoutes } from './audit/audit-routes.ts'
import { AnswerCache } from './fast-lane/answer-cache.ts'
import { createFastLane } from './fast-lane/fast-lane.ts'
import { KnownRequests } from './fast-lane/known-requests.ts'
import type { Log } from './log.ts'
import { createFlowCookie } from './oidc/oidc-flow.ts'
import { createOidcProvider, type OidcSettings } from './oidc/oidc-provider.ts'
import { oidcRoutes } from './oidc/oidc-routes.ts'
import type { BffRoute } from './route.ts'
import { createCspReportLog } from './security/csp-report.ts'
import type { PublicAddress } from './security/public-address.ts'
import type { ResponseHeaders } from './security/response-headers.ts'
import { createCookies } from './sign-in/cookies.ts'
import { SessionStore } from './sign-in/session-store.ts'
import { createSignIn } from './sign-in/sign-in.ts'
import { signInRoutes } from './sign-in/sign-in-routes.ts'
import type { StaticFiles } from './static/static-files.ts'
import { profileRoutes } from './users/profile-routes.ts'
import { userRoutes } from './users/user-routes.ts'

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
  const knownRequests = new KnownRequests()
  const fastLane = createFastLane({ ...shared, knownRequests })
  return { app, fastLane, knownRequests, sessions, answers: shared.answers }
}
