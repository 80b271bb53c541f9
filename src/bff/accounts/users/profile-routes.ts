import { auditFacts, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import type { Passwords } from '#bff/accounts/sign-in/password-hash.ts'
import { lockSession } from '#bff/accounts/sign-in/session-queries.ts'
import type { SessionStore } from '#bff/accounts/sign-in/session-store.ts'
import type { Cookies } from '#bff/http/cookies.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import { requireRole } from '#bff/http/require-role.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { passwordChangeSchema, profileChangeSchema } from '#contract/bff/profile.ts'
import type { Database } from '#database/database.ts'
import { changePassword } from './change-password.ts'
import { readProfile, updateProfile } from './profile-queries.ts'

type ProfileRouteDependencies = {
  database: Database
  sessions: SessionStore
  passwords: Passwords
  cookies: Cookies
  /** The host of the sign-in page. */
  host: string
}

const EVERYONE = { access: 'viewer', cache: 'none' } as const

/** The reader's own account. */
export function profileRoutes({ cookies, ...deps }: ProfileRouteDependencies): BffRoute[] {
  const { database, sessions } = deps

  return [
    defineRoute({
      method: 'GET',
      path: '/bff/profile',
      ...EVERYONE,
      answer: async ({ session }) => ({ json: await readProfile(database, session.user.id) }),
    }),
    defineRoute({
      method: 'PUT',
      path: '/bff/profile',
      ...EVERYONE,
      body: profileChangeSchema,
      async answer({ body, session, request }) {
        const { id, email, name } = session.user
        // Display settings are not recorded; a new name, which others see, is.
        const isRenamed = body.name !== undefined && body.name !== name
        await database.transaction(async (tx) => {
          // First: whoever looks the account up before changing it waits for whoever did the same, and both for ever.
          await updateProfile(tx, id, body)
          requireRole(await lockSession(tx, session.id), 'viewer')
          if (!isRenamed) return
          await recordAudit(tx, {
            ...auditFacts('PUT /bff/profile', { session, request }),
            action: 'profile-changed',
            object: id,
            objectName: email,
            before: { name },
            after: { name: body.name },
          })
        })
        if (isRenamed) sessions.forgetAll()
        return { json: await readProfile(database, id) }
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/bff/profile/password',
      ...EVERYONE,
      needsFreshProof: true,
      body: passwordChangeSchema,
      async answer({ body, session, request }) {
        const { user } = session
        const record = (db: Database, action: 'password-changed' | 'password-change-failed') =>
          recordAudit(db, {
            ...auditFacts('PUT /bff/profile/password', { session, request }),
            action,
            object: user.id,
            objectName: user.email,
          })
        const token = await changePassword(deps, session, body, (tx) => record(tx, 'password-changed'))
        if (token === null) {
          await record(database, 'password-change-failed')
          throw new ProblemError({
            code: 'bad_request',
            detail: 'Check the field named here.',
            fields: [{ name: 'current', reason: 'This is not your password.' }],
          })
        }
        sessions.forgetAll()
        return { status: 204, cookies: [cookies.setSession(token)] }
      },
    }),
  ]
}
