import { type AuditRecord, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { forgetPlaces } from '#bff/accounts/sign-in/account-queries.ts'
import type { SessionStore } from '#bff/accounts/sign-in/session-store.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import type { NewUser, User, UserChange, UserWithLink } from '#contract/bff/user.ts'
import type { Database } from '#database/database.ts'
import { createPasswordLink } from './password-link.ts'
import { findUser, hasAdmin, insertUser, lockAccounts, updateUser } from './user-queries.ts'

type Facts = Pick<AuditRecord, 'actor' | 'route' | 'address' | 'requestId'>

type UsersDependencies = { database: Database; sessions: SessionStore; publicUrl: string }

/** What admins do with accounts. None is ever deleted: the record names them. */
export function createUsers({ database, sessions, publicUrl }: UsersDependencies) {
  return {
    async create(input: NewUser, facts: Facts): Promise<UserWithLink> {
      return database.transaction(async (db) => {
        const created = await insertUser(db, input)
        if (!created) throw alreadyThere(input.email)
        const link = await createPasswordLink(db, created.id, publicUrl)
        const { name, role } = created
        await recordAudit(db, { ...facts, ...subjectOf('user-created', created), after: { name, role } })
        return { user: await requireUser(db, created.id), link }
      })
    },

    async createLink(id: string, facts: Facts): Promise<UserWithLink> {
      return database.transaction(async (db) => {
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

    /** A new role, and a way in that is closed, take effect at once: the account's sessions end. */
    async change(
      id: string,
      change: UserChange,
      facts: Facts,
    ): Promise<{ user: User; hasEndedSessions: boolean }> {
      const changed = await database.transaction(async (db) => {
        await lockAccounts(db)
        const before = await requireUser(db, id)
        await updateUser(db, id, change)
        if (!(await hasAdmin(db))) throw lastAdmin()
        const after = await requireUser(db, id)
        const difference = differenceOf(before, after)
        if (difference)
          await recordAudit(db, { ...facts, ...subjectOf('user-changed', before), ...difference })
        return { user: after, hasEndedSessions: before.role !== after.role || isClosed(before, after) }
      })
      if (changed.hasEndedSessions) await sessions.endAll(id)
      return { ...changed, user: await requireUser(database, id) }
    },

    /** Also where the person was known: the next sign-in is a stranger's. */
    async signOut(id: string, facts: Facts): Promise<User> {
      const user = await requireUser(database, id)
      await sessions.endAll(id)
      await forgetPlaces(database, id)
      await recordAudit(database, { ...facts, ...subjectOf('user-signed-out', user) })
      return requireUser(database, id)
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

function isClosed(before: User, after: User): boolean {
  return before.state !== 'disabled' && after.state === 'disabled'
}

const TOLD = ['name', 'role', 'state'] as const

/** The members that changed, before and after; null when none did. */
function differenceOf(before: User, after: User): Pick<AuditRecord, 'before' | 'after'> | null {
  const changed = TOLD.filter((member) => before[member] !== after[member])
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
