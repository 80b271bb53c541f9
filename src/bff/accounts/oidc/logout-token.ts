import { type JWTVerifyGetKey, jwtVerify } from 'jose'
import * as z from 'zod/mini'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const MAX_AGE_SECONDS = 5 * 60
const CLOCK_TOLERANCE_SECONDS = 60
/** Signed with the provider's private key: a shared secret would let us sign for it, and `none` anybody. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]
/** Accepted types. Of the specific ones only that of a logout token is; older providers write the general type or none. */
const TYPES = new Set(['logout+jwt', 'JWT', undefined])

const shortText = z.string().check(z.minLength(1), z.maxLength(255))
const logoutTokenSchema = z
  .looseObject({
    iss: shortText,
    jti: shortText,
    sub: z.optional(shortText),
    sid: z.optional(shortText),
    events: z.looseObject({ [EVENT]: z.looseObject({}) }),
    // An ID token has one, and is no logout token.
    nonce: z.optional(z.never()),
  })
  .check(z.refine(({ sub, sid }) => sub !== undefined || sid !== undefined, 'names nobody'))
/** Whose sessions a provider ends: all of a person's, or the one that it calls `sid`. */
export type LogoutToken = z.infer<typeof logoutTokenSchema>

/** Reads what OpenID Connect Back-Channel Logout 1.0 (2.6) lets a provider say; rejects whatever else it is. */
export async function readLogoutToken(
  token: string,
  { keys, issuer, clientId }: { keys: JWTVerifyGetKey; issuer: string; clientId: string },
): Promise<LogoutToken> {
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer,
    audience: clientId,
    algorithms: ALGORITHMS,
    maxTokenAge: MAX_AGE_SECONDS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
  })
  if (!TYPES.has(protectedHeader.typ)) throw new Error('A token of another type')
  return logoutTokenSchema.parse(payload)
}
