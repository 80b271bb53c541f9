import { createRemoteJWKSet, customFetch as jwksFetch } from 'jose'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client'
import * as z from 'zod/mini'
import { createProxiedFetch, type ForwardProxy } from '#server/forward-proxy.ts'
import { type LogoutToken, readLogoutToken } from './logout-token.ts'
import { ageOf, type OidcFlow } from './oidc-flow.ts'

const SCOPE = 'openid email profile'
const TIMEOUT_SECONDS = 8
const CONNECT_TIMEOUT_MS = 5_000
const DISCOVERED_FOR_MS = 60 * 60 * 1000
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000
/**
 * The maximum age of a sign-in at the provider. For most purposes any age is enough: a provider that gets a maximum
 * states the time in its token (OpenID Connect Core, 3.1.2.1). A new sign-in proves presence, and the person types a
 * password.
 */
const MAX_AGE_SECONDS = { any: 30 * 24 * 60 * 60, anew: 60 } as const
/** The provider's clock may be ahead by this much, and so may its tokens' times. */
const CLOCK_TOLERANCE_SECONDS = 30
/** Keys are requested at most this often, whatever tokens name. */
const JWKS_LIMITS = { timeoutDuration: 5_000, cooldownDuration: 30_000 }

export type OidcSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  /** The provider is reached through this proxy; directly without it. */
  proxy?: ForwardProxy | undefined
}

/** Some providers write the word. */
const verifiedSchema = z.union([
  z.boolean(),
  z.pipe(
    z.enum(['true', 'false']),
    z.transform((word) => word === 'true'),
  ),
])

/** A person's identity, as the provider signed it. Any claim but `iss` and `sub` that cannot be read counts as absent. */
const personSchema = z.object({
  iss: z.string(),
  sub: z.string().check(z.minLength(1), z.maxLength(255)),
  email: z.catch(z.optional(z.email().check(z.maxLength(254), z.toLowerCase())), undefined),
  // Any value that does not mean yes means no.
  email_verified: z.catch(z.optional(verifiedSchema), false),
  name: z.catch(z.optional(z.string()), undefined),
  /** The provider's id of its session. */
  sid: z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(255))), undefined),
  /** The person proved their identity there at this time, in epoch seconds. */
  auth_time: z.catch(z.optional(z.int().check(z.minimum(0), z.maximum(2 ** 32))), undefined),
})
export type OidcPerson = z.infer<typeof personSchema>
/** The provider does not say when somebody signed in anew, or names a time that cannot be. */
export class NotAnewError extends Error {}

/** Returns when a person proved their identity at the provider, in epoch seconds; null if absent or in the future. */
export function readProvedAt({ auth_time: provedAt }: OidcPerson): number | null {
  if (provedAt === undefined || provedAt > Date.now() / 1_000 + CLOCK_TOLERANCE_SECONDS) return null
  return provedAt
}

/** A person who comes from the provider, with all that it says of them. */
export type OidcArrival = {
  person: OidcPerson
  claims: Readonly<Record<string, unknown>>
  idToken: string
}

type OidcProviderOptions = OidcSettings & {
  /** The provider sends browsers back to this address, exactly as it is registered there. */
  redirectUri: string
  /** The user info endpoint is queried for a claim that the ID token does not hold. */
  hasRole?: ((claims: unknown) => boolean) | undefined
  /** Monotonic milliseconds. */
  clock?: () => number
}

/** The provider may be down when Lantern starts: it is discovered when first needed, again and again until it answers. */
export function createOidcProvider({
  issuer,
  clientId,
  clientSecret,
  redirectUri,
  proxy,
  hasRole = () => true,
  clock = () => performance.now(),
}: OidcProviderOptions) {
  const fetchBy = proxy && createProxiedFetch(proxy, CONNECT_TIMEOUT_MS)
  let found: { configuration: Configuration; at: number } | null = null
  let jwks: { url: string; keys: ReturnType<typeof createRemoteJWKSet> } | null = null
  let searching: Promise<Configuration> | null = null
  let failed = { error: new Error('Never asked'), until: Number.NEGATIVE_INFINITY, waitMs: 0 }

  async function search(): Promise<Configuration> {
    try {
      const configuration = await discover({ issuer, clientId, clientSecret }, fetchBy)
      found = { configuration, at: clock() }
      failed = { ...failed, until: Number.NEGATIVE_INFINITY, waitMs: 0 }
      return configuration
    } catch (error) {
      const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, failed.waitMs * 2))
      failed = { error: new Error('Discovery failed', { cause: error }), until: clock() + waitMs, waitMs }
      throw failed.error
    }
  }

  /** The last known configuration is used while the provider cannot be reached. */
  async function configure(): Promise<Configuration> {
    if (found && clock() - found.at < DISCOVERED_FOR_MS) return found.configuration
    if (clock() < failed.until) {
      if (found) return found.configuration
      throw failed.error
    }
    searching ??= search().finally(() => {
      searching = null
    })
    const known = found?.configuration
    return known ? searching.catch(() => known) : searching
  }

  return {
    /** The settings' spelling; the provider's own is a person's `iss`. */
    issuer,
    /** Returns the address to which the browser is sent. Rejects while the provider does not answer. */
    async authorizationUrl({ state, nonce, verifier, isAnew = false }: OidcFlow): Promise<URL> {
      return buildAuthorizationUrl(await configure(), {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state,
        nonce,
        max_age: String(MAX_AGE_SECONDS[isAnew ? 'anew' : 'any']),
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    /** Redeems what the browser brought back to `answerUrl`, whatever it is, or rejects. */
    async redeem(answerUrl: URL, flow: OidcFlow): Promise<OidcArrival> {
      const { state, nonce, verifier, isAnew = false } = flow
      const configuration = await configure()
      const tokens = await authorizationCodeGrant(configuration, answerUrl, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        // The maximum age includes the age of the flow.
        ...(isAnew && { maxAge: MAX_AGE_SECONDS.anew + ageOf(flow) }),
      })
      const signed = tokens.claims()
      const person = personSchema.parse(signed)
      if (isAnew && readProvedAt(person) === null) throw new NotAnewError()
      const arrival = { person, claims: { ...signed }, idToken: tokens.id_token ?? '' }
      const { iss, sub, sid, auth_time, email, email_verified: isVerified } = person
      const isWhole = email !== undefined && isVerified !== undefined
      if (isWhole && hasRole(signed)) return arrival
      if (!configuration.serverMetadata().userinfo_endpoint) return arrival
      const more = await fetchUserInfo(configuration, tokens.access_token, sub)
      const claims = isWhole ? { ...more, ...signed } : { ...signed, ...more }
      return { ...arrival, claims, person: personSchema.parse({ ...claims, iss, sub, sid, auth_time }) }
    },
    /** Returns where the browser ends its session at the provider too; null if the provider has no such page. */
    async endSessionUrl(idToken: string, backTo: string): Promise<URL | null> {
      // The known configuration is enough: a sign-out does not wait for changes at the provider.
      const configuration = found?.configuration ?? (await configure())
      if (!configuration.serverMetadata().end_session_endpoint) return null
      return buildEndSessionUrl(configuration, { id_token_hint: idToken, post_logout_redirect_uri: backTo })
    },
    /** Rejects a token by which the provider does not end a session. */
    async readLogoutToken(token: string): Promise<LogoutToken> {
      const { issuer: iss, jwks_uri: url } = (await configure()).serverMetadata()
      if (!url) throw new Error('The provider publishes no keys')
      if (jwks?.url !== url)
        jwks = {
          url,
          keys: createRemoteJWKSet(new URL(url), {
            ...JWKS_LIMITS,
            ...(fetchBy && { [jwksFetch]: fetchBy }),
          }),
        }
      return readLogoutToken(token, { keys: jwks.keys, issuer: iss, clientId })
    },
  }
}
export type OidcProvider = ReturnType<typeof createOidcProvider>

function discover(
  { issuer, clientId, clientSecret }: OidcSettings,
  fetchBy?: CustomFetch,
): Promise<Configuration> {
  const server = new URL(issuer)
  // The settings allow plain http on this machine alone.
  const insecure = server.protocol === 'http:' ? [allowInsecureRequests] : []
  return discovery(server, clientId, {}, authenticateBy(clientSecret), {
    timeout: TIMEOUT_SECONDS,
    ...(fetchBy && { [customFetch]: fetchBy }),
    execute: [enableNonRepudiationChecks, ...insecure],
  })
}

/** The header is standard; the body is used if a provider states that it accepts only that. */
function authenticateBy(secret: string): ClientAuth {
  const [inHeader, inBody] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? inHeader : inBody)(server, ...rest)
  }
}
