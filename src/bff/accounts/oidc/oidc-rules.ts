import type { ProblemError } from '#bff/http/problem-error.ts'
import { ROLES, type Role } from '#contract/bff/session.ts'
import { failed } from './oidc-problems.ts'
import type { OidcArrival } from './oidc-provider.ts'

/** Rules decide which of the provider's people may sign in, and in which role. */
export type OidcRules = {
  /** Lower case. Any unless given. */
  allowedDomains?: readonly string[] | undefined
  /** An address that the provider says nothing of is taken for verified. One that it calls unverified never is. */
  trustsEmail?: boolean | undefined
  /** If given, the provider sets the role at each sign-in. */
  roles?: { claim: string; pairs: readonly { value: string; role: Role }[] } | undefined
}

/** `kept`: the provider says nothing of roles here. `none`: it names none of those that let somebody in. */
export type GrantedRole = Role | 'kept' | 'none'

/** The address that a person has proved to have; null where they have proved none. */
export function verifiedEmail({ person }: OidcArrival, { trustsEmail = false }: OidcRules): string | null {
  const { email, email_verified: isVerified = trustsEmail } = person
  return email !== undefined && isVerified ? email : null
}

/** Refuses whoever has no proved address of a domain that may come in. */
export function refuseForeignDomain(arrival: OidcArrival, rules: OidcRules): void {
  const { allowedDomains } = rules
  if (!allowedDomains) return
  const email = verifiedEmail(arrival, rules)
  if (email === null) throw unverified()
  const [, domain = '', ...more] = email.toLowerCase().split('@')
  if (more.length > 0 || !allowedDomains.includes(domain))
    throw failed(
      'Addresses of your mail domain may not sign in here. Use your company account, or ask an admin of your Lantern.',
    )
}

/** The highest role that what the claim holds is worth. */
export function readGrantedRole({ claims }: OidcArrival, { roles }: OidcRules): GrantedRole {
  if (!roles) return 'kept'
  const values = toList(readClaim(claims, roles.claim.split('.')))
  const granted = roles.pairs.filter(({ value }) => values.includes(value)).map(({ role }) => role)
  return ROLES.findLast((role) => granted.includes(role)) ?? 'none'
}

/** Reads a claim by its path, such as `realm_access.roles`. A name may contain dots, as web addresses do. */
export function readClaim(claims: unknown, path: readonly string[]): unknown {
  if (path.length === 0) return claims
  if (typeof claims !== 'object' || claims === null) return undefined
  const members = new Map<string, unknown>(Object.entries(claims))
  for (let length = path.length; length > 0; length -= 1) {
    const found = readClaim(members.get(path.slice(0, length).join('.')), path.slice(length))
    if (found !== undefined) return found
  }
  return undefined
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

export function unverified(): ProblemError {
  return failed('Your identity provider has not confirmed your email address. Ask whoever runs it.')
}

export function withoutRole({ roles }: OidcRules): ProblemError {
  return failed(
    `You are in no group that may use this Lantern (claim ${roles?.claim}). Ask whoever runs your identity provider to add you to one, then sign in again.`,
  )
}
