import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client'
import * as z from 'zod/mini'
import type { OidcFlow } from './oidc-flow.ts'

const SCOPE = 'openid email profile'
const TIMEOUT_SECONDS = 8
const DISCOVERED_FOR_MS = 60 * 60 * 1000
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000

export type OidcSettings = { issuer: string; clientId: string; clientSecret: string }

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
  email_verified: z.catch(z.optional(verifiedSchema), undefined),
  name: z.catch(z.optional(z.string()), undefined),
})
export type OidcPerson = z.infer<typeof personSchema>

export type OidcProvider = {
  /** As the settings spell it: in the provider's own spelling it is a person's `iss`. */
  readonly issuer: string
  /** Where to send the browser. Rejects while the provider does not answer. */
  authorizationUrl(flow: OidcFlow): Promise<URL>
  /** Redeems what the browser brought back to `answerUrl`, whatever it is, or rejects. */
  redeem(answerUrl: URL, flow: OidcFlow): Promise<OidcPerson>
}

type OidcProviderOptions = OidcSettings & {
  /** Where the provider sends browsers back to, exactly as it is registered there. */
  redirectUri: string
  /** Monotonic milliseconds. */
  clock?: () => number
}

/** The provider may be down when Lantern starts: it is discovered when first needed, again and again until it answers. */
export function createOidcProvider({
  issuer,
  clientId,
  clientSecret,
  redirectUri,
  clock = () => performance.now(),
}: OidcProviderOptions): OidcProvider {
  let found: { configuration: Configuration; at: number } | null = null
  let searching: Promise<Configuration> | null = null
  let failed = { error: new Error('Never asked'), until: Number.NEGATIVE_INFINITY, waitMs: 0 }

  async function search(): Promise<Configuration> {
    try {
      const configuration = await discover({ issuer, clientId, clientSecret })
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
    async authorizationUrl({ state, nonce, verifier }) {
      return buildAuthorizationUrl(await configure(), {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    async redeem(answerUrl, { state, nonce, verifier }) {
      const configuration = await configure()
      const tokens = await authorizationCodeGrant(configuration, answerUrl, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
      })
      const claims = tokens.claims()
      const person = personSchema.parse(claims)
      const { iss, sub, email, email_verified: isVerified } = person
      const isWhole = email !== undefined && isVerified !== undefined
      if (isWhole || !configuration.serverMetadata().userinfo_endpoint) return person
      const more = await fetchUserInfo(configuration, tokens.access_token, sub)
      return personSchema.parse({ ...claims, ...more, iss, sub })
    },
  }
}

function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const server = new URL(issuer)
  // The settings allow plain http on this machine alone.
  const insecure = server.protocol === 'http:' ? [allowInsecureRequests] : []
  return discovery(server, clientId, {}, authenticateBy(clientSecret), {
    timeout: TIMEOUT_SECONDS,
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
