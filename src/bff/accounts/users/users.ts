import * as z from 'zod/mini'
import { type AuditRecord, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { deleteFactors } from '#bff/accounts/factors/factor-queries.ts'
import { deleteLinksOf, forgetPlaces } from '#bff/accounts/sign-in/account-queries.ts'
import { deleteSessionsOf, renewSession } from '#bff/accounts/sign-in/session-queries.ts'
import type { SessionStore } from '#bff/accounts/sign-in/session-store.ts'
import { transactAsAdmin } from '#bff/accounts/sign-in/transact-as.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import type { ReaderSession } from '#bff/http/route.ts'
import { createToken, hashToken } from '#bff/http/token.ts'
import { applyOwnerChanges } from '#bff/notify/profile-queries.ts'
import type { NewUser, PasswordLink, User, UserAdded, UserChange, UserWithLink } from '#contract/bff/user.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { closeFeedsOf, findUser, hasAdmin, insertUser, updateUser } from './user-queries.ts'

type Facts = Pick<AuditRecord, 'actor' | 'route' | 'address' | 'requestId'>

type UsersDependencies = {
  database: Database
  sessions: SessionStore
  publicUrl: string
  hasPasswordSignIn: boolean
}

/** Manages accounts for admins. None is deleted: the record names them, and `npm run audit -- erase` does more. */
export function createUsers({ database, sessions, publicUrl, hasPasswordSignIn }: UsersDependencies) {
  return {
    create(admin: ReaderSession, input: NewUser, facts: Facts): Promise<UserAdded> {
      return transactAsAdmin(database, admin, async (db) => {
        const created = await insertUser(db, input)
        if (!created) throw alreadyThere(input.email)
        // Without passwords, the provider identifies people.
        const link = hasPasswordSignIn ? await createPasswordLink(db, created.id, publicUrl) : null
        const { name, role } = created
        await recordAudit(db, { ...facts, ...subjectOf('user-created', created), after: { name, role } })
        return { user: await requireUser(db, created.id), link }
      })
    },

    createLink(admin: ReaderSession, id: string, facts: Facts): Promise<UserWithLink> {
      return transactAsAdmin(database, admin, async (db) => {
        const user = await requireUser(db, id)
        if (user.state === 'disabled') {
          throw new ProblemError({
            code: 'conflict',
            title: 'The account is disabled',
            detail: 'Enable it first.',
          })
        }
        const link = await createPasswordLink(db, id, publicUrl)
        await recordAudit(db, { ...facts, ...subjectOf('user-link-created', user) })
        return { user: await requireUser(db, id), link }
      })
    },

    /**
     * A new role, and a way in that is closed, take effect at once: the account's sessions end. Whoever changed their own
     * role goes on under a fresh token.
     */
    async change(
      admin: ReaderSession,
      id: string,
      change: UserChange,
      facts: Facts,
    ): Promise<{ user: User; freshToken: string | null }> {
      const changed = await transactAsAdmin(database, admin, async (db) => {
        const before = await requireUser(db, id)
        const hadAdmin = await hasAdmin(db, hasPasswordSignIn)
        await updateUser(db, id, change)
        if (hadAdmin && !(await hasAdmin(db, hasPasswordSignIn))) throw lastAdmin()
        const after = await requireUser(db, id)
        const difference = differenceOf(before, after)
        if (difference)
          await recordAudit(db, { ...facts, ...subjectOf('user-changed', before), ...difference })
        const isDisabled = after.state === 'disabled'
        if (isDisabled) await deleteLinksOf(db, id)
        if (isDisabled || after.role === 'viewer') {
          await closeFeedsOf(db, id)
          await applyOwnerChanges(db)
        }
        const hasEnded = isDisabled || before.role !== after.role
        const goesOn = hasEnded && !isDisabled && after.id === admin.user.id
        const freshToken = goesOn ? await renewSession(db, admin.id, id) : null
        if (hasEnded && !goesOn) await deleteSessionsOf(db, id)
        return { user: await requireUser(db, id), freshToken }
      })
      sessions.forgetAll()
      return changed
    },

    /** Resets the factors after the loss of a device. Sessions end too: a session would only require a new factor. */
    async resetFactors(admin: ReaderSession, id: string, facts: Facts): Promise<User> {
      if (id === admin.user.id) {
        throw new ProblemError({
          code: 'conflict',
          title: 'These are your own',
          detail: 'Remove your second factors in your profile, or ask another admin.',
        })
      }
      const reset = await transactAsAdmin(database, admin, async (db) => {
        const user = await requireUser(db, id)
        // First: a factor that one of them is adding is there then, and goes with the others.
        await deleteSessionsOf(db, id)
        if (!(await deleteFactors(db, id))) {
          throw new ProblemError({ code: 'conflict', detail: 'The account has no second factor.' })
        }
        await recordAudit(db, { ...facts, ...subjectOf('user-factors-reset', user) })
        return requireUser(db, id)
      })
      sessions.forgetAll()
      return reset
    },

    /** Known devices are forgotten too: the next sign-in counts as a stranger's. */
    async signOut(admin: ReaderSession, id: string, facts: Facts): Promise<User> {
      const signedOut = await transactAsAdmin(database, admin, async (db) => {
        const user = await requireUser(db, id)
        await deleteSessionsOf(db, id)
        await forgetPlaces(db, id)
        await recordAudit(db, { ...facts, ...subjectOf('user-signed-out', user) })
        return requireUser(db, id)
      })
      sessions.forgetAll()
      return signedOut
    },
  }
}

async function requireUser(db: Database, id: string): Promise<User> {
  const user = await findUser(db, id)
  if (!user) throw new ProblemError({ code: 'not_found', detail: 'There is no such user.' })
  return user
}

function subjectOf(
  action: AuditRecord['action'],
  { id, email }: User,
): Pick<AuditRecord, 'action' | 'object' | 'objectName'> {
  return { action, object: id, objectName: email }
}

const AUDITED = ['name', 'role', 'state'] as const

/** The members that changed, before and after; null when none did. */
function differenceOf(before: User, after: User): Pick<AuditRecord, 'before' | 'after'> | null {
  const changed = AUDITED.filter((member) => before[member] !== after[member])
  if (changed.length === 0) return null
  const pick = (user: User) => Object.fromEntries(changed.map((member) => [member, user[member]]))
  return { before: pick(before), after: pick(after) }
}

function alreadyThere(email: string): ProblemError {
  return new ProblemError({
    code: 'conflict',
    title: 'There is such a user already',
    detail: `Change the account of ${email}, or use another address.`,
    fields: [{ name: 'email', reason: 'An account has this address.' }],
  })
}

function lastAdmin(): ProblemError {
  return new ProblemError({
    code: 'conflict',
    title: 'This is the last admin',
    detail: 'Make someone else an admin who has signed in before, then try again.',
  })
}

const LINK_LIFETIME = `interval '3 days'`

/**
 * A link by which a person sets a password, once. Whoever made it gives it to that person; the one before it is void. The
 * token is in the fragment: no log sees it.
 */
async function createPasswordLink(db: Database, accountId: string, publicUrl: string): Promise<PasswordLink> {
  const token = createToken()
  const { rows } = await db.query(
    `insert into password_link (account_id, token_hash, expires_at) values ($1, $2, now() + ${LINK_LIFETIME})
     on conflict (account_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at
     returning ${isoUtc('expires_at')} as "expiresAt"`,
    [accountId, hashToken(token)],
  )
  const [{ expiresAt }] = z.tuple([z.object({ expiresAt: z.iso.datetime() })]).parse(rows)
  return { url: new URL(`/sign-in#password=${token}`, publicUrl).href, expiresAt }
}
