import { ROLES, type Role, type Session } from '#contract/bff/session.ts'
import { ProblemError, roleNotAllowed } from './problem-error.ts'
import type { ReaderSession } from './route.ts'

/** The session, where there is one and its account may do what needs `least`. */
export function requireRole<Found extends Session>(session: Found | null, least: Role): Found {
  if (!session) throw new ProblemError({ code: 'signed_out', detail: 'Sign in to go on.' })
  if (ROLES.indexOf(session.user.role) < ROLES.indexOf(least))
    throw roleNotAllowed(`This needs the role ${least}; yours is ${session.user.role}. Ask an admin.`)
  return session
}

export function requireFactor({ mustEnrol }: ReaderSession): void {
  if (!mustEnrol) return
  throw roleNotAllowed(
    'Your role needs a second factor. Reload the page: it leads you through setting one up.',
    'A second factor is needed',
  )
}

export function requireFreshProof({ hasFreshProof }: ReaderSession): void {
  if (hasFreshProof) return
  throw new ProblemError({
    code: 'fresh_proof_needed',
    detail: 'Confirm with your second factor, or with your password if you have none, then try again.',
  })
}
