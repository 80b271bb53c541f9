import * as z from 'zod/mini'
import { recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { type Account, lockAccounts } from '#bff/accounts/sign-in/account-queries.ts'
import type { Visitor } from '#bff/accounts/sign-in/admission.ts'
import { deleteSessionsOf } from '#bff/accounts/sign-in/session-queries.ts'
import { accountDisabled } from '#bff/accounts/sign-in/sign-in.ts'
import { closeFeedsOf, hasAdmin } from '#bff/accounts/users/user-queries.ts'
import type { ProblemError } from '#bff/http/problem-error.ts'
import { applyOwnerChanges } from '#bff/notify/profile-queries.ts'
import { type Role, sessionSchema } from '#contract/bff/session.ts'
import { personNameSchema } from '#contract/bff/user.ts'
import type { Database } from '#database/database.ts'
import { findRow } from '#database/read-rows.ts'
import { failed } from './oidc-problems.ts'
import type { OidcArrival, OidcPerson } from './oidc-provider.ts'
import { type GrantedRole, type OidcRules, unverified, verifiedEmail, withoutRole } from './oidc-rules.ts'

const accountRowSchema = z.extend(sessionSchema.shape.user, {
  isDisabled: z.boolean(),
  isLinked: z.boolean(),
  hasPassword: z.boolean(),
})
type AccountRow = z.infer<typeof accountRowSchema>
const COLUMNS = `id, email, name, role, disabled_at is not null as "isDisabled",
  oidc_subject is not null as "isLinked", password_hash is not null as "hasPassword"`

type Arriving = {
  /** The issuer as the settings spell it: accounts were once linked by that. */
  configuredIssuer: string
  rules: OidcRules
  arrival: OidcArrival
  granted: GrantedRole
  /** An admin with only a password could sign in. */
  hasPasswordSignIn: boolean
  visitor: Visitor
}

/** A refusal may have changed the account: what an old role allowed has ended. */
export type OidcOutcome = { account: Account } | { refusal: ProblemError }

/**
 * The account of a person whom the provider vouches for: the one that came from there before or was linked, else one of
 * the same verified address that an admin has made and nobody has come into, else a new one. Whoever has a password of
 * their own links the account themselves.
 */
export async function findOidcAccount(database: Database, arriving: Arriving): Promise<OidcOutcome> {
  return database.transaction(async (db) => {
    const { arrival, granted, configuredIssuer, rules } = arriving
    const { iss, sub } = arrival.person
    // First: two admins must not lose their roles at once.
    if (granted !== 'kept') await lockAccounts(db)
    const known = await findLinked(db, arrival.person, configuredIssuer)
    if (known) {
      await link(db, known.id, { iss, sub })
      return takeRole(db, known, arriving)
    }
    if (granted === 'none') return { refusal: withoutRole(rules) }
    const email = verifiedEmail(arrival, rules)
    if (email === null) throw unverified()
    return takeRole(db, await makeOrAdopt(db, email, arriving), arriving)
  })
}

/** Finds the account by any spelling of the provider's name. */
export async function findLinked(
  db: Database,
  { iss, sub }: OidcPerson,
  configuredIssuer: string,
): Promise<AccountRow | null> {
  const condition = 'oidc_issuer = $1 and oidc_subject = $2'
  return (await findOne(db, condition, [iss, sub])) ?? findOne(db, condition, [configuredIssuer, sub])
}

/** Stores the provider's own spelling of its name, whichever the settings have. */
export async function link(db: Database, id: string, { iss, sub }: OidcPerson) {
  await db.query('update account set oidc_issuer = $2, oidc_subject = $3 where id = $1', [id, iss, sub])
}

async function makeOrAdopt(db: Database, email: string, arriving: Arriving): Promise<AccountRow> {
  const { arrival, granted } = arriving
  const created = await insertAccount(db, email, {
    givenName: arrival.person.name,
    role: granted === 'kept' || granted === 'none' ? 'viewer' : granted,
  })
  const account = created ?? (await findOne(db, 'email = $1 for update', [email]))
  // Someone else has this address at the provider now: no reason to hand over an account.
  if (!account || account.isLinked) throw taken()
  if (account.hasPassword) throw linkFirst()
  await link(db, account.id, arrival.person)
  await record(db, account, arriving, {
    action: created ? 'user-created' : 'user-changed',
    after: { ...(created && { role: created.role }), signsInBy: 'single sign-on' },
  })
  return account
}

/** The role is the provider's to say; what another one allowed has ended with it. Nobody takes it from the last admin. */
async function takeRole(db: Database, account: AccountRow, arriving: Arriving): Promise<OidcOutcome> {
  const { granted, rules, hasPasswordSignIn } = arriving
  const { isDisabled, isLinked, hasPassword, ...user } = account
  if (isDisabled) throw accountDisabled()
  if (granted === 'kept' || granted === user.role) return { account: user }
  const role = granted === 'none' ? 'viewer' : granted
  await deleteSessionsOf(db, user.id)
  if (role === 'viewer') {
    await closeFeedsOf(db, user.id)
    await applyOwnerChanges(db)
  }
  if (user.role === 'admin' && !(await hasAdmin(db, hasPasswordSignIn, user.id)))
    return { refusal: lastAdmin() }
  if (role !== user.role) {
    await db.query('update account set role = $2 where id = $1', [user.id, role])
    await record(db, account, arriving, {
      action: 'user-changed',
      before: { role: user.role },
      after: { role, saidBy: 'single sign-on' },
    })
  }
  return granted === 'none' ? { refusal: withoutRole(rules) } : { account: { ...user, role } }
}

type Change = {
  action: 'user-created' | 'user-changed'
  before?: Readonly<Record<string, unknown>>
  after: Readonly<Record<string, unknown>>
}

function record(db: Database, { id, email }: AccountRow, { visitor }: Arriving, change: Change) {
  const { address, requestId, route } = visitor
  return recordAudit(db, { actor: id, object: id, objectName: email, route, address, requestId, ...change })
}

async function findOne(db: Database, condition: string, values: readonly string[]) {
  return findRow(db, accountRowSchema, values)`select ${COLUMNS} from account where ${condition}`
}

/** Null when there is an account of this address. */
async function insertAccount(
  db: Database,
  email: string,
  { givenName, role }: { givenName: string | undefined; role: Role },
) {
  const name = personNameSchema.safeParse(givenName).data ?? email.split('@', 1).join('')
  return findRow(db, accountRowSchema, [email, name, role])`
    insert into account (email, name, role) values ($1, $2, $3)
    on conflict (email) do nothing returning ${COLUMNS}`
}

function taken(): ProblemError {
  return failed('Your email address belongs to another identity here. Ask an admin of your Lantern.')
}

function linkFirst(): ProblemError {
  return failed(
    'There is an account of your email address here, with a password of its own. Sign in to it by password, then link it in Settings, Profile. If you cannot, ask an admin of your Lantern.',
  )
}

function lastAdmin(): ProblemError {
  return failed(
    'You are the last admin of this Lantern, and your identity provider does not name you one any more. Let another admin sign in first, or ask whoever runs this Lantern to let you in by the command break-glass.',
  )
}
