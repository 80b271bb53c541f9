import { setTimeout as sleep } from 'node:timers/promises'
import { badRequest, type ProblemError } from '#bff/http/problem-error.ts'
import type { ReaderSession } from '#bff/http/route.ts'
import { problemOf } from './oidc-problems.ts'
import { createOidcProvider, type OidcSettings } from './oidc-provider.ts'
import type { SingleSignOn } from './oidc-routes.ts'
import { type OidcRules, readClaim } from './oidc-rules.ts'
import { endProviderSessions, readIdToken } from './oidc-sessions.ts'

/** Nobody waits at a sign-out for a provider that does not answer. */
const LEAVE_TIMEOUT_MS = 2_000

/** The secret signs what a browser keeps while it is at the provider. */
export type SingleSignOnSettings = OidcSettings &
  OidcRules & { secret: string /** While it is replaced. */; secretBefore?: string | undefined }

type SetUp = Omit<SingleSignOn, 'provider' | 'rules' | 'secret' | 'secretBefore' | 'redirectUri'> & {
  settings: SingleSignOnSettings
  publicUrl: URL
  clock?: (() => number) | undefined
}

export function setUpSingleSignOn({
  settings: { secret, secretBefore, ...settings },
  publicUrl,
  clock,
  ...given
}: SetUp): SingleSignOn {
  const redirectUri = new URL('/sign-in', publicUrl).href
  const path = settings.roles?.claim.split('.')
  const hasRole = path && ((claims: unknown) => readClaim(claims, path) !== undefined)
  const provider = createOidcProvider({ ...settings, redirectUri, hasRole, ...(clock && { clock }) })
  return { ...given, provider, rules: settings, secret, secretBefore, redirectUri }
}

/** Returns where a browser that signs out also ends its session at the provider; null if that is of no use. */
export async function leaveProvider(
  { database, provider, secret, redirectUri, log }: SingleSignOn,
  { id }: ReaderSession,
): Promise<string | null> {
  const idToken = await readIdToken(database, id, secret)
  if (idToken === null) return null
  const leaving = provider.endSessionUrl(idToken, redirectUri).catch((error: unknown) => {
    log.error('provider-not-left', error)
    return null
  })
  const url = await Promise.race([leaving, sleep(LEAVE_TIMEOUT_MS, null, { ref: false })])
  return url?.href ?? null
}

/** Handles the form that the provider posts when somebody has signed out there. */
export async function logOutByProvider(
  { database, provider, sessions, log }: SingleSignOn,
  form: URLSearchParams,
  requester: { address: string; requestId: string },
): Promise<void> {
  const token = await provider.readLogoutToken(form.get('logout_token') ?? '').catch((error: unknown) => {
    log.warn('logout-token-refused', {
      ...requester,
      reason: error instanceof Error ? error.message.slice(0, 200) : '',
    })
    const problem = problemOf(error)
    throw problem.problem.code === 'sign_in_unavailable' ? problem : refused()
  })
  const ended = await endProviderSessions(database, token, {
    ...requester,
    route: 'POST /bff/back-channel-logout',
  })
  if (ended === null) throw refused()
  sessions.forgetAll()
}

function refused(): ProblemError {
  return badRequest('This is no logout token of the provider, or it was used.')
}
