import { auditFacts, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { type ChangeContext, makeChange, type RecordChange } from '#bff/accounts/make-change.ts'
import {
  deleteLinksOf,
  lockAccount,
  readPasswordHash,
  updatePasswordHash,
} from '#bff/accounts/sign-in/account-queries.ts'
import { forgiveAttempt, passwordBucket, reserveAttempt } from '#bff/accounts/sign-in/attempt-limit.ts'
import type { Passwords } from '#bff/accounts/sign-in/password-hash.ts'
import { refuseWeakPassword } from '#bff/accounts/sign-in/password-rules.ts'
import { renewSession } from '#bff/accounts/sign-in/session-queries.ts'
import type { SessionStore } from '#bff/accounts/sign-in/session-store.ts'
import { withVerifiedHash } from '#bff/accounts/sign-in/with-verified-hash.ts'
import { sessionCookie } from '#bff/http/cookies.ts'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import { conflict, ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { type PasswordChange, passwordChangeSchema, profileChangeSchema } from '#contract/bff/profile.ts'
import type { Database } from '#database/database.ts'
import { readProfile, updateProfile } from './profile-queries.ts'

type ProfileDependencies = {
  database: Database
  sessions: SessionStore
  passwords: Passwords
  isHttps: boolean
  /** The host of the sign-in page. */
  host: string
}

/** The reader's own account. */
export function profileRoutes(deps: ProfileDependencies): BffRoute[] {
  const { database, sessions, isHttps } = deps

  return [
    defineRoute('GET /bff/profile', {
      access: 'viewer',
      answer: async ({ session }) => ({ json: await readProfile(database, session.user.id) }),
    }),
    defineRoute('PUT /bff/profile', {
      access: 'viewer',
      body: profileChangeSchema,
      async answer({ body, ...context }) {
        const { id, email, name } = context.session.user
        // Display settings are not recorded; a new name, which others see, is.
        const isRenamed = body.name !== undefined && body.name !== name
        const save = async (tx: Database, record: RecordChange) => {
          await updateProfile(tx, id, body)
          if (!isRenamed) return
          const after = { name: body.name }
          // Open pages name the owners of cases.
          await notifyLive(tx, { kind: 'triage' })
          await record({ action: 'profile-changed', object: id, objectName: email, before: { name }, after })
        }
        await makeChange(database, context, 'viewer', save, (tx) => lockAccount(tx, id))
        if (isRenamed) sessions.forgetAll()
        return { json: await readProfile(database, id) }
      },
    }),
    defineRoute('PUT /bff/profile/password', {
      access: 'viewer',
      needsFreshProof: true,
      body: passwordChangeSchema,
      async answer({ body, ...context }) {
        const token = await changePassword(deps, context, body)
        if (token === null) {
          const { id, email } = context.session.user
          const event = { action: 'password-change-failed', object: id, objectName: email } as const
          await recordAudit(database, { ...auditFacts(context), ...event })
          throw new ProblemError({
            code: 'bad_request',
            detail: 'Check the field named here.',
            fields: [{ name: 'current', reason: 'This is not your password.' }],
          })
        }
        sessions.forgetAll()
        return { status: 204, cookies: [sessionCookie(isHttps, token)] }
      },
    }),
  ]
}

/**
 * Changes a password. The person at an open session must know the present one, with the attempt limits of the sign-in;
 * null if it is wrong. All sessions of the old password end; this one goes on under the returned token.
 */
async function changePassword(
  deps: ProfileDependencies,
  context: ChangeContext,
  { current, password }: PasswordChange,
): Promise<string | null> {
  const { database: db, passwords, host } = deps
  const { id: sessionId, user } = context.session
  const hash = await readPasswordHash(db, user.id)
  if (hash === null)
    throw conflict(
      'It signs in by single sign-on. An admin can give you a link that sets a password.',
      'This account has no password',
    )
  const buckets = [passwordBucket(user.id)]
  await reserveAttempt(db, buckets)
  if (!(await passwords.verify(current, hash))) return null
  await forgiveAttempt(db, buckets)
  await refuseWeakPassword(password, user, host)
  const next = await passwords.hash(password)
  return withVerifiedHash(deps, { accountId: user.id, password: current, hash }, (verified) =>
    makeChange(
      db,
      context,
      'viewer',
      async (tx, record) => {
        if (!(await updatePasswordHash(tx, user.id, { verified, next }))) return null
        await deleteLinksOf(tx, user.id)
        await record({ action: 'password-changed', object: user.id, objectName: user.email })
        return renewSession(tx, sessionId, user.id)
      },
      (tx) => lockAccount(tx, user.id),
    ),
  )
}
