import * as z from 'zod/mini'
import { deleteFactors } from '#bff/accounts/factors/factor-queries.ts'
import { type ChangeContext, defineChange, makeChange } from '#bff/accounts/make-change.ts'
import { deleteLinksOf, forgetPlaces } from '#bff/accounts/sign-in/account-queries.ts'
import { deleteSessionsOf, renewSession } from '#bff/accounts/sign-in/session-queries.ts'
import type { SessionStore } from '#bff/accounts/sign-in/session-store.ts'
import { sessionCookie } from '#bff/http/cookies.ts'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import { conflict, notFound, ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { createToken, hashToken } from '#bff/http/token.ts'
import { notifyOfInactiveOwners } from '#bff/notify/owner-notices.ts'
import { applyOwnerChanges } from '#bff/notify/profile-queries.ts'
import {
  newUserSchema,
  type PasswordLink,
  type User,
  type UserAdded,
  type UserChange,
  type UserWithLink,
  userChangeSchema,
} from '#contract/bff/user.ts'
import { idSchema } from '#contract/id.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { onlyColumn, readRow } from '#database/read-rows.ts'
import { closeFeedsOf, findUser, hasAdmin, insertUser, listUsers, updateUser } from './user-queries.ts'

type UserDependencies = {
  database: Database
  sessions: SessionStore
  isHttps: boolean
  publicUrl: string
  hasPasswordSignIn: boolean
}

const ID = z.object({ id: idSchema })

/** Accounts and their roles, for admins. No account is deleted: the record names it, and `npm run audit -- erase` does more. */
export function userRoutes(deps: UserDependencies): BffRoute[] {
  const { database, sessions, isHttps, publicUrl, hasPasswordSignIn } = deps

  return [
    defineRoute('GET /bff/users', {
      access: 'admin',
      answer: async () => ({ json: { users: await listUsers(database) } }),
    }),
    defineChange(database, 'POST /bff/users', {
      access: 'admin',
      needsFreshProof: true,
      body: newUserSchema,
      status: 201,
      async change({ body }, tx, record): Promise<UserAdded> {
        const created = await insertUser(tx, body)
        if (!created) throw alreadyThere(body.email)
        // Without passwords, the provider identifies people.
        const link = hasPasswordSignIn ? await createPasswordLink(tx, created.id, publicUrl) : null
        const { name, role } = created
        await record({ action: 'user-created', ...objectOf(created), after: { name, role } })
        return { user: await requireUser(tx, created.id), link }
      },
    }),
    defineRoute('PUT /bff/users/:id', {
      access: 'admin',
      needsFreshProof: true,
      params: ID,
      body: userChangeSchema,
      async answer({ params: { id }, body, ...context }) {
        const { user, freshToken } = await changeUser(deps, context, id, body)
        sessions.forgetAll()
        return { json: { user }, ...(freshToken && { cookies: [sessionCookie(isHttps, freshToken)] }) }
      },
    }),
    defineChange(database, 'POST /bff/users/:id/link', {
      access: 'admin',
      needsFreshProof: true,
      params: ID,
      status: 201,
      async change({ params: { id } }, tx, record): Promise<UserWithLink> {
        const user = await requireUser(tx, id)
        if (user.state === 'disabled') throw isDisabled()
        const link = await createPasswordLink(tx, id, publicUrl)
        await record({ action: 'user-link-created', ...objectOf(user) })
        return { user: await requireUser(tx, id), link }
      },
    }),
    defineChange(database, 'POST /bff/users/:id/reset-factors', {
      access: 'admin',
      needsFreshProof: true,
      params: ID,
      committed: () => sessions.forgetAll(),
      async change({ params: { id }, session }, tx, record) {
        if (id === session.user.id)
          throw conflict(
            'Remove your second factors in your profile, or ask another admin.',
            'These are your own',
          )
        const before = await requireUser(tx, id)
        // First: a factor that a session is adding is stored then, and is deleted with the others. The sessions of a
        // lost device end, too: a session would only require a new factor.
        await deleteSessionsOf(tx, id)
        if (!(await deleteFactors(tx, id))) throw conflict('The account has no second factor.')
        await record({ action: 'user-factors-reset', ...objectOf(before) })
        return { user: await requireUser(tx, id) }
      },
    }),
    defineChange(database, 'POST /bff/users/:id/sign-out', {
      access: 'admin',
      params: ID,
      committed: () => sessions.forgetAll(),
      async change({ params: { id } }, tx, record) {
        const before = await requireUser(tx, id)
        await deleteSessionsOf(tx, id)
        // The next sign-in counts as a stranger's.
        await forgetPlaces(tx, id)
        await record({ action: 'user-signed-out', ...objectOf(before) })
        return { user: await requireUser(tx, id) }
      },
    }),
  ]
}

/**
 * A new role, and a way in that is closed, take effect at once: the account's sessions end. Whoever changed their own
 * role goes on under a fresh token.
 */
function changeUser(
  { database, hasPasswordSignIn }: UserDependencies,
  context: ChangeContext,
  id: string,
  change: UserChange,
): Promise<{ user: User; freshToken: string | null }> {
  const admin = context.session
  return makeChange(database, context, 'admin', async (tx, record) => {
    const before = await requireUser(tx, id)
    const hadAdmin = await hasAdmin(tx, hasPasswordSignIn)
    await updateUser(tx, id, change)
    if (hadAdmin && !(await hasAdmin(tx, hasPasswordSignIn)))
      throw conflict(
        'Make someone else an admin who has signed in before, then try again.',
        'This is the last admin',
      )
    const after = await requireUser(tx, id)
    const difference = differenceOf(before, after)
    if (difference) await record({ action: 'user-changed', ...objectOf(before), ...difference })
    const isDisabled = after.state === 'disabled'
    if (isDisabled) await deleteLinksOf(tx, id)
    if (isDisabled || after.role === 'viewer') {
      await closeFeedsOf(tx, id)
      await applyOwnerChanges(tx)
    }
    if (difference) {
      await notifyOfInactiveOwners(tx)
      // Open pages name the owners of cases.
      await notifyLive(tx, { kind: 'triage' })
    }
    const hasEnded = isDisabled || before.role !== after.role
    const goesOn = hasEnded && !isDisabled && after.id === admin.user.id
    const freshToken = goesOn ? await renewSession(tx, admin.id, id) : null
    if (hasEnded && !goesOn) await deleteSessionsOf(tx, id)
    return { user: await requireUser(tx, id), freshToken }
  })
}

async function requireUser(db: Database, id: string): Promise<User> {
  const user = await findUser(db, id)
  if (!user) throw notFound('There is no such user.')
  return user
}

/** Names a user in the audit record. */
function objectOf({ id, email }: User) {
  return { object: id, objectName: email }
}

const AUDITED = ['name', 'role', 'state'] as const

/** The members that changed, before and after; null when none did. */
function differenceOf(before: User, after: User) {
  const changed = AUDITED.filter((member) => before[member] !== after[member])
  if (changed.length === 0) return null
  const pick = (user: User) => Object.fromEntries(changed.map((member) => [member, user[member]]))
  return { before: pick(before), after: pick(after) }
}

function isDisabled(): ProblemError {
  return conflict('Enable it first.', 'The account is disabled')
}

function alreadyThere(email: string): ProblemError {
  return new ProblemError({
    code: 'conflict',
    title: 'There is such a user already',
    detail: `Change the account of ${email}, or use another address.`,
    fields: [{ name: 'email', reason: 'An account has this address.' }],
  })
}

const LINK_LIFETIME = `interval '3 days'`

/**
 * A link by which a person sets a password, once. Whoever made it gives it to that person; the one before it is void. The
 * token is in the fragment: no log sees it.
 */
async function createPasswordLink(db: Database, accountId: string, publicUrl: string): Promise<PasswordLink> {
  const token = createToken()
  const expiresAt = await readRow(db, onlyColumn(z.iso.datetime()), [accountId, hashToken(token)])`
    insert into password_link (account_id, token_hash, expires_at) values ($1, $2, now() + ${LINK_LIFETIME})
    on conflict (account_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at
    returning ${isoUtc('expires_at')} as "expiresAt"`
  return { url: new URL(`/sign-in#password=${token}`, publicUrl).href, expiresAt }
}
