import { auditRoutes } from '#bff/accounts/audit/audit-routes.ts'
import { factorRoutes } from '#bff/accounts/factors/factor-routes.ts'
import { logRefusal } from '#bff/accounts/log-refusal.ts'
import { oidcRoutes } from '#bff/accounts/oidc/oidc-routes.ts'
import {
  logOutByProvider,
  type SingleSignOnSettings,
  setUpSingleSignOn,
} from '#bff/accounts/oidc/single-sign-on.ts'
import { ownSessionRoutes } from '#bff/accounts/sign-in/own-session-routes.ts'
import { createPasswords } from '#bff/accounts/sign-in/password-hash.ts'
import { proofRoutes } from '#bff/accounts/sign-in/proof-routes.ts'
import { SessionStore } from '#bff/accounts/sign-in/session-store.ts'
import { signInRoutes } from '#bff/accounts/sign-in/sign-in-routes.ts'
import { leadAway } from '#bff/accounts/sign-in-page/lead-away.ts'
import { signInPage } from '#bff/accounts/sign-in-page/sign-in-page.ts'
import { profileRoutes } from '#bff/accounts/users/profile-routes.ts'
import { userRoutes } from '#bff/accounts/users/user-routes.ts'
import type { BffDependencies } from '#bff/http/app.ts'
import { cookieNames } from '#bff/http/cookies.ts'
import type { FirstFiles } from '#bff/http/first-files.ts'
import type { PublicAddress } from '#bff/http/guards/public-url.ts'
import type { Log } from '#bff/http/log.ts'
import type { PageRequest } from '#bff/http/page-route.ts'
import { notFound, type ProblemError } from '#bff/http/problem-error.ts'
import type { BffRoute } from '#bff/http/route.ts'
import type { Endpoint } from '#contract/bff/endpoints.ts'
import type { Role } from '#contract/bff/session.ts'
import type { Database } from '#database/database.ts'

/** All that accounts need, and the settings that rule them. */
export type AccountOptions = {
  database: Database
  address: PublicAddress
  /** The provider of single sign-on, where there is one. */
  singleSignOn?: SingleSignOnSettings | undefined
  /** People may sign in by password. */
  hasPasswordSignIn?: boolean | undefined
  /** Seals what is at rest. */
  secret: string
  /** Roles that need a second factor; none unless given. */
  factorRoles?: readonly Role[] | undefined
  log: Log
  /** Monotonic milliseconds. */
  clock?: (() => number) | undefined
}

type PageOptions = {
  /** The sign-in page fetches these files while a person types. */
  firstFiles: FirstFiles
}

/** Joins sign-in, second factors, single sign-on, users and the audit record on one store of sessions. */
export function composeAccounts({
  database,
  address,
  singleSignOn: ssoSettings,
  hasPasswordSignIn = true,
  secret,
  factorRoles = [],
  clock,
  log,
  firstFiles,
}: AccountOptions & PageOptions) {
  const { isHttps } = address
  const sessions = new SessionStore({
    database,
    clock,
    factorRoles,
    onError: (error) => log.error('session-not-touched', error),
  })
  const passwords = createPasswords()
  const { hostname, origin } = address.url
  const signIn = { database, secret, party: { id: hostname, origin }, passwords, sessions }
  const account = { database, sessions, isHttps, hasPasswordSignIn }
  const singleSignOn =
    ssoSettings &&
    setUpSingleSignOn({ ...account, settings: ssoSettings, publicUrl: address.url, signIn, clock, log })
  const table = [
    ...signInRoutes(signIn, {
      isHttps,
      hasPasswordSignIn,
      isLoopback: address.isLoopback,
      singleSignOn,
    }),
    ...(singleSignOn ? oidcRoutes(singleSignOn) : []),
    ...factorRoutes({ ...signIn, factorRoles }),
    ...proofRoutes(signIn),
    ...ownSessionRoutes(database, sessions),
    ...profileRoutes({ ...account, passwords, host: hostname }),
    ...userRoutes({ ...account, publicUrl: origin }),
    ...auditRoutes({ database }),
  ]
  const onRefused: BffDependencies['onRefused'] = (problem, facts) => {
    const { sessionToken } = facts
    const session = sessionToken === null ? undefined : sessions.peek(sessionToken, { isBackground: true })
    logRefusal(log, { ...facts, problem, actor: session?.user.id ?? null })
  }
  const logOut: BffDependencies['logOutByProvider'] =
    singleSignOn && ((form, requester) => logOutByProvider(singleSignOn, form, requester))
  return {
    sessions,
    sessionCookie: cookieNames(isHttps).session,
    routes: hasPasswordSignIn ? table : refusePasswords(table),
    pages: [
      signInPage({
        sessions,
        database,
        isHttps,
        offer: { hasPasswordSignIn, hasSingleSignOn: Boolean(singleSignOn) },
        firstFiles,
      }),
    ],
    leadAway: (request: PageRequest) => leadAway({ sessions, isHttps }, request),
    logOutByProvider: logOut,
    onRefused,
  }
}

/** All that takes or sets a password, or makes a link that does. */
const PASSWORD_ROUTES: ReadonlySet<string> = new Set<Endpoint>([
  'POST /bff/sign-in',
  'POST /bff/sign-in/password-link',
  'PUT /bff/profile/password',
  'POST /bff/users/:id/link',
])

/** Returns the routes for when nobody signs in by password: each refuses with the reason before it reads the body. */
function refusePasswords(routes: readonly BffRoute[]): BffRoute[] {
  return routes.map((route) =>
    PASSWORD_ROUTES.has(`${route.method} ${route.path}`)
      ? { ...route, body: undefined, answer: () => Promise.reject(passwordsOff()) }
      : route,
  )
}

function passwordsOff(): ProblemError {
  return notFound(
    'Everybody signs in by single sign-on: whoever runs this Lantern has switched passwords off.',
    'There are no passwords here',
  )
}
