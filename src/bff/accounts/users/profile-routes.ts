import { auditFacts, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import type { Passwords } from '#bff/accounts/sign-in/password-hash.ts'
import type { SessionStore } from '#bff/accounts/sign-in/session-store.ts'
import type { Cookies } from '#bff/http/cookies.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
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
        await updateProfile(database, id, body)
        // What one likes to see is no matter of record; how one is called by others is.
        if (body.name !== undefined && body.name !== name) {
          await recordAudit(database, {
            ...auditFacts('PUT /bff/profile', { session, request }),
            action: 'profile-changed',
            object: id,
            objectName: email,
            before: { name },
            after: { name: body.name },
          })
          sessions.forgetAll()
        }
        return { json: await readProfile(database, id) }
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/bff/profile/password',
      ...EVERYONE,
      body: passwordChangeSchema,
      async answer({ body, session, request }) {
        const { user } = session
        const told = (action: 'password-changed' | 'password-change-failed') =>
          recordAudit(database, {
            ...auditFacts('PUT /bff/profile/password', { session, request }),
            action,
            object: user.id,
            objectName: user.email,
          })
        const token = await changePassword(deps, session, body)
        if (token === null) {
          await told('password-change-failed')
          throw new ProblemError({
            code: 'bad_request',
            detail: 'Check the field named here.',
            fields: [{ name: 'current', reason: 'This is not your password.' }],
          })
        }
        sessions.forgetAll()
        await told('password-changed')
        return { status: 204, cookies: [cookies.setSession(token)] }
      },
    }),
  ]
}
