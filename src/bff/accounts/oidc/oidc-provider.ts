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
 * How old a sign-in at the provider may be. For most, any will do: a provider that is asked says in its token when it was
 * (OpenID Connect Core, 3.1.2.1). Whoever signs in anew proves to be there, and types a password.
 */
const MAX_AGE_SECONDS = { any: 30 * 24 * 60 * 60, anew: 60 } as const
/** By how much the provider's clock may be ahead, as its tokens' times may be. */
const CLOCK_TOLERANCE_SECONDS = 30
/** Keys are asked for anew at most this often, whatever tokens name. */
const JWKS_LIMITS = { timeoutDuration: 5_000, cooldownDuration: 30_000 }

export type OidcSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  /** What the provider is reached through; directly unless given. */
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

/** Who somebody is, as the provider signed it. What else than `iss` and `sub` cannot be read was not told. */
const personSchema = z.object({
  iss: z.string(),
  sub: z.string().check(z.minLength(1), z.maxLength(255)),
  email: z.catch(z.optional(z.email().check(z.maxLength(254), z.toLowerCase())), undefined),
  // What is said, and is no yes, is a no.
  email_verified: z.catch(z.optional(verifiedSchema), false),
  name: z.catch(z.optional(z.string()), undefined),
  /** What the provider calls its session. */
  sid: z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(255))), undefined),
  /** When they proved there who they are, in epoch seconds. */
  auth_time: z.catch(z.optional(z.int().check(z.minimum(0), z.maximum(2 ** 32))), undefined),
})
export type OidcPerson = z.infer<typeof personSchema>
/** The provider does not say when somebody signed in anew, or names a time that cannot be. */
export class NotAnewError extends Error {}

/** When a person proved at the provider who they are, in epoch seconds; null where it does not say, or names a time to come. */
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

export type OidcProvider = {
  /** As the settings spell it: in the provider's own spelling it is a person's `iss`. */
  readonly issuer: string
  /** Where to send the browser. Rejects while the provider does not answer. */
  authorizationUrl(flow: OidcFlow): Promise<URL>
  /** Redeems what the browser brought back to `answerUrl`, whatever it is, or rejects. */
  redeem(answerUrl: URL, flow: OidcFlow): Promise<OidcArrival>
  /** Where to send a browser whose session has ended here, so that it ends there; null where the provider has no such page. */
  endSessionUrl(idToken: string, backTo: string): Promise<URL | null>
  /** Rejects a token by which the provider does not end a session. */
  readLogoutToken(token: string): Promise<LogoutToken>
}

type OidcProviderOptions = OidcSettings & {
  /** Where the provider sends browsers back to, exactly as it is registered there. */
  redirectUri: string
  /** A claim that is asked for where the ID token does not hold it. */
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
}: OidcProviderOptions): OidcProvider {
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

  /** What is known serves on while the provider cannot be asked anew. */
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
    issuer,
    async authorizationUrl({ state, nonce, verifier, isAnew = false }) {
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
    async redeem(answerUrl, flow) {
      const { state, nonce, verifier, isAnew = false } = flow
      const configuration = await configure()
      const tokens = await authorizationCodeGrant(configuration, answerUrl, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        // As old as it might be when the flow began.
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
    async endSessionUrl(idToken, backTo) {
      // What is known serves: nobody waits at a sign-out for what has changed at the provider.
      const configuration = found?.configuration ?? (await configure())
      if (!configuration.serverMetadata().end_session_endpoint) return null
      return buildEndSessionUrl(configuration, { id_token_hint: idToken, post_logout_redirect_uri: backTo })
    },
    async readLogoutToken(token) {
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

/** In the header, as every provider should take it; in the body where one says that it takes only that. */
function authenticateBy(secret: string): ClientAuth {
  const [inHeader, inBody] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? inHeader : inBody)(server, ...rest)
  }
}
