import * as z from 'zod/mini'
import { auditFacts } from '#bff/accounts/audit/record-audit.ts'
import type { SessionStore } from '#bff/accounts/sign-in/session-store.ts'
import type { Cookies } from '#bff/http/cookies.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { newUserSchema, userChangeSchema } from '#contract/bff/user.ts'
import { idSchema } from '#contract/id.ts'
import type { Database } from '#database/database.ts'
import { listUsers } from './user-queries.ts'
import { createUsers } from './users.ts'

type UserRouteDependencies = {
  database: Database
  sessions: SessionStore
  cookies: Cookies
  publicUrl: string
  hasPasswordSignIn: boolean
}

const ADMINS = { access: 'admin', cache: 'none' } as const
const ID = z.object({ id: idSchema })

/** Accounts and their roles: for admins. */
export function userRoutes({ cookies, ...deps }: UserRouteDependencies): BffRoute[] {
  const { database } = deps
  const users = createUsers(deps)

  return [
    defineRoute({
      method: 'GET',
      path: '/bff/users',
      ...ADMINS,
      answer: async () => ({ json: { users: await listUsers(database) } }),
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/users',
      ...ADMINS,
      needsFreshProof: true,
      body: newUserSchema,
      async answer({ body, ...request }) {
        const facts = auditFacts('POST /bff/users', request)
        return { status: 201, json: await users.create(request.session, body, facts) }
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/bff/users/:id',
      ...ADMINS,
      needsFreshProof: true,
      params: ID,
      body: userChangeSchema,
      async answer({ params: { id }, body, session, request }) {
        const facts = auditFacts('PUT /bff/users/:id', { session, request })
        const { user, freshToken } = await users.change(session, id, body, facts)
        return { json: { user }, ...(freshToken && { cookies: [cookies.setSession(freshToken)] }) }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/users/:id/link',
      ...ADMINS,
      needsFreshProof: true,
      params: ID,
      async answer({ params, ...request }) {
        const facts = auditFacts('POST /bff/users/:id/link', request)
        return { status: 201, json: await users.createLink(request.session, params.id, facts) }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/users/:id/reset-factors',
      ...ADMINS,
      needsFreshProof: true,
      params: ID,
      async answer({ params, ...request }) {
        const facts = auditFacts('POST /bff/users/:id/reset-factors', request)
        return { json: { user: await users.resetFactors(request.session, params.id, facts) } }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/users/:id/sign-out',
      ...ADMINS,
      params: ID,
      async answer({ params, ...request }) {
        const facts = auditFacts('POST /bff/users/:id/sign-out', request)
        return { json: { user: await users.signOut(request.session, params.id, facts) } }
      },
    }),
  ]
}
