import { deleteLinksOf, readPasswordHash, updatePasswordHash } from '#bff/accounts/sign-in/account-queries.ts'
import { forgiveAttempt, passwordBucket, reserveAttempt } from '#bff/accounts/sign-in/attempt-limit.ts'
import type { Passwords } from '#bff/accounts/sign-in/password-hash.ts'
import { refuseWeakPassword } from '#bff/accounts/sign-in/password-rules.ts'
import { lockSession, renewSession } from '#bff/accounts/sign-in/session-queries.ts'
import { withVerifiedHash } from '#bff/accounts/sign-in/with-verified-hash.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import { requireRole } from '#bff/http/require-role.ts'
import type { ReaderSession } from '#bff/http/route.ts'
import type { PasswordChange } from '#contract/bff/profile.ts'
import type { Database } from '#database/database.ts'

/**
 * Changes a password. The person at an open session must know the present one, with the attempt limits of the sign-in;
 * null if it is wrong. The writes of `record` are part of the change. All sessions of the old password end; this one goes
 * on under the returned token.
 */
export async function changePassword(
  deps: { database: Database; passwords: Passwords; host: string },
  { id: sessionId, user }: ReaderSession,
  { current, password }: PasswordChange,
  record: (tx: Database) => Promise<void>,
): Promise<string | null> {
  const { database: db, passwords, host } = deps
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
  if (!(await passwords.verify(current, hash))) return null
  await forgiveAttempt(db, buckets)
  await refuseWeakPassword(password, user, host)
  const next = await passwords.hash(password)
  return withVerifiedHash(deps, { accountId: user.id, password: current, hash }, (verified) =>
    db.transaction(async (tx) => {
      if (!(await updatePasswordHash(tx, user.id, { verified, next }))) return null
      requireRole(await lockSession(tx, sessionId), 'viewer')
      await deleteLinksOf(tx, user.id)
      await record(tx)
      return renewSession(tx, sessionId, user.id)
    }),
  )
}
