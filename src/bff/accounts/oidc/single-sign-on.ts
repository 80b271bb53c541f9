import { setTimeout as sleep } from 'node:timers/promises'
import { ProblemError } from '#bff/http/problem-error.ts'
import type { BffRoute, ReaderSession } from '#bff/http/route.ts'
import { createFlowCookie } from './oidc-flow.ts'
import { problemOf } from './oidc-problems.ts'
import { createOidcProvider, type OidcSettings } from './oidc-provider.ts'
import { type OidcRouteDependencies, oidcRoutes } from './oidc-routes.ts'
import { type OidcRules, readClaim } from './oidc-rules.ts'
import { endProviderSessions, readIdToken } from './oidc-sessions.ts'

/** Nobody waits at a sign-out for a provider that does not answer. */
const LEAVE_TIMEOUT_MS = 2_000

/** The secret signs what a browser keeps while it is at the provider. */
export type SingleSignOnSettings = OidcSettings &
  OidcRules & { secret: string /** While it is replaced. */; secretBefore?: string | undefined }

type SingleSignOnDependencies = Pick<
  OidcRouteDependencies,
  'database' | 'sessions' | 'signIn' | 'cookies' | 'log' | 'hasPasswordSignIn'
> & {
  settings: SingleSignOnSettings
  publicUrl: URL
  clock?: (() => number) | undefined
}

export type SingleSignOn = {
  routes: BffRoute[]
  /** Returns where a browser that signs out also ends its session at the provider; null if that is of no use. */
  leaveProvider(session: ReaderSession): Promise<string | null>
  /** Handles the form that the provider posts when somebody has signed out there. */
  logOutByProvider(form: URLSearchParams, asker: { address: string; requestId: string }): Promise<void>
}

export function createSingleSignOn({
  settings: { secret, secretBefore = secret, ...settings },
  publicUrl,
  clock,
  ...deps
}: SingleSignOnDependencies): SingleSignOn {
  const { database, sessions, log } = deps
  const redirectUri = new URL('/sign-in', publicUrl).href
  const path = settings.roles?.claim.split('.')
  const hasRole = path && ((claims: unknown) => readClaim(claims, path) !== undefined)
  const provider = createOidcProvider({ ...settings, redirectUri, hasRole, ...(clock && { clock }) })
  const isHttps = publicUrl.protocol === 'https:'
  const [now, before] = [createFlowCookie(secret, isHttps), createFlowCookie(secretBefore, isHttps)]
  const flowCookie = { ...now, read: (cookie: string | null) => now.read(cookie) ?? before.read(cookie) }

  return {
    routes: oidcRoutes({ ...deps, provider, rules: settings, secret, flowCookie, redirectUri }),
    async leaveProvider({ id }) {
      const idToken = await readIdToken(database, id, secret)
      if (idToken === null) return null
      const leaving = provider.endSessionUrl(idToken, redirectUri).catch((error: unknown) => {
        log.error('provider-not-left', error)
        return null
      })
      const url = await Promise.race([leaving, sleep(LEAVE_TIMEOUT_MS, null, { ref: false })])
      return url?.href ?? null
    },
    async logOutByProvider(form, asker) {
      const token = await provider.readLogoutToken(form.get('logout_token') ?? '').catch((error: unknown) => {
        log.warn('logout-token-refused', {
          ...asker,
          reason: error instanceof Error ? error.message.slice(0, 200) : '',
        })
        const problem = problemOf(error)
        throw problem.problem.code === 'sign_in_unavailable' ? problem : refused()
      })
      const ended = await endProviderSessions(database, token, {
        ...asker,
        route: 'POST /bff/back-channel-logout',
      })
      if (ended === null) throw refused()
      sessions.forgetAll()
    },
  }
}

function refused(): ProblemError {
  return new ProblemError({
    code: 'bad_request',
    detail: 'This is no logout token of the provider, or it was used.',
  })
}
