import * as z from 'zod/mini'
import { type Role, roleSchema } from '#contract/bff/session.ts'
import { domains, readText, splitList } from './setting-values.ts'

const onOff = z.enum(['on', 'off'], 'on or off')
const roles = readText(
  (text) => {
    const pairs = splitList(text).map(readPair)
    return pairs.every((pair) => pair !== null) ? pairs : null
  },
  `pairs such as lantern-admins=admin, soc=analyst; a role is one of ${roleSchema.options.join(', ')}`,
)

/** Settings of who may sign in by single sign-on, and in which role. */
export const singleSignOnFields = {
  OIDC_ALLOWED_DOMAINS: z.optional(domains),
  OIDC_ROLE_CLAIM: z.optional(z.string().check(z.maxLength(256, 'at most 256 characters'))),
  OIDC_ROLES: z.optional(roles),
  OIDC_TRUST_EMAIL: z._default(onOff, 'off'),
  PASSWORD_SIGN_IN: z._default(onOff, 'on'),
}

type Given = z.infer<z.ZodMiniObject<typeof singleSignOnFields>> & {
  OIDC_ISSUER?: string | undefined
  OIDC_CLIENT_ID?: string | undefined
  OIDC_CLIENT_SECRET?: string | undefined
}

/** Describes which of these settings contradict each other, or are missing; null if all is well. */
export function findSingleSignOnFault(given: Given): string | null {
  const provider = [given.OIDC_ISSUER, given.OIDC_CLIENT_ID, given.OIDC_CLIENT_SECRET]
  if (provider.some(Boolean) && !provider.every(Boolean)) {
    return 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together'
  }
  if (Boolean(given.OIDC_ROLE_CLAIM) !== Boolean(given.OIDC_ROLES)) {
    return 'OIDC_ROLE_CLAIM and OIDC_ROLES must be set together'
  }
  if (provider.every(Boolean)) return null
  if (given.PASSWORD_SIGN_IN === 'off') {
    return 'PASSWORD_SIGN_IN must be on where there is no single sign-on: nobody could come in. Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET'
  }
  if (given.OIDC_ALLOWED_DOMAINS || given.OIDC_ROLES || given.OIDC_TRUST_EMAIL === 'on') {
    return 'OIDC_ALLOWED_DOMAINS, OIDC_ROLES and OIDC_TRUST_EMAIL must be unset where OIDC_ISSUER is: they are for single sign-on alone'
  }
  return null
}

export function toSingleSignOn(given: Given) {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_ROLE_CLAIM: claim,
    OIDC_ROLES: pairs,
  } = given
  if (!issuer || !clientId || !clientSecret) return undefined
  return {
    issuer,
    clientId,
    clientSecret,
    allowedDomains: given.OIDC_ALLOWED_DOMAINS,
    trustsEmail: given.OIDC_TRUST_EMAIL === 'on',
    roles: claim && pairs ? { claim, pairs } : undefined,
  }
}

/** A claim's value may hold `=` itself; a role holds none. */
function readPair(text: string): { value: string; role: Role } | null {
  const at = text.lastIndexOf('=')
  const value = text.slice(0, Math.max(0, at)).trim()
  const role = roleSchema.safeParse(text.slice(at + 1).trim()).data
  return value && role ? { value, role } : null
}
