import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { forgiveAttempt, passwordBucket, reserveAttempt } from '#bff/accounts/sign-in/attempt-limit.ts'
import { refuseWeakPassword } from '#bff/accounts/sign-in/password-rules.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import type { PasswordChange } from '#contract/bff/profile.ts'
import type { Session } from '#contract/bff/session.ts'
import type { Database } from '#database/database.ts'
import { readPasswordHash, updatePassword } from './profile-queries.ts'

/**
 * Whoever sits at an open session must still know the password, and may guess it as rarely as at the sign-in; false where
 * it is another.
 */
export async function changePassword(
  db: Database,
  user: Session['user'],
  { current, password }: PasswordChange,
): Promise<boolean> {
  const hash = await readPasswordHash(db, user.id)
  if (hash === null) {
    throw new ProblemError({
      code: 'conflict',
      title: 'This account has no password',
      detail: 'It signs in by single sign-on. An admin can give you a link that sets a password.',
    })
  }
  const buckets = [passwordBucket(user.id)]
  await reserveAttempt(db, buckets)
  if (!(await verifyPassword({ hash, password: current }))) return false
  await forgiveAttempt(db, buckets)
  refuseWeakPassword(password, user)
  await updatePassword(db, user.id, await hashPassword(password))
  return true
}
