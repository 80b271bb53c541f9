import * as z from 'zod/mini'
import { recordAudit } from '#bff/accounts/audit/record-audit.ts'
import type { Account } from '#bff/accounts/sign-in/account-queries.ts'
import { accountDisabled, type Visitor } from '#bff/accounts/sign-in/sign-in.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import { sessionSchema } from '#contract/bff/session.ts'
import { personNameSchema } from '#contract/bff/user.ts'
import type { Database } from '#database/database.ts'
import type { OidcPerson } from './oidc-provider.ts'

const accountRowSchema = z.extend(sessionSchema.shape.user, {
  isDisabled: z.boolean(),
  isLinked: z.boolean(),
})
const COLUMNS = `id, email, name, role, disabled_at is not null as "isDisabled", oidc_subject is not null as "isLinked"`

type OidcArrival = {
  /** The issuer as the settings spell it: accounts were once linked by that. */
  configuredIssuer: string
  person: OidcPerson
  visitor: Visitor
}

/**
 * The account of a person whom the provider vouches for: the one that came from there before, else the one of the same
 * verified e-mail address, else a new viewer.
 */
export async function findOidcAccount(
  database: Database,
  { configuredIssuer, person, visitor }: OidcArrival,
): Promise<Account> {
  return database.transaction(async (db) => {
    const { iss: issuer, sub: subject, email } = person
    const known = (await findLinked(db, issuer, subject)) ?? (await findLinked(db, configuredIssuer, subject))
    if (known) {
      await link(db, known, person)
      return admissible(known)
    }

    if (email === undefined || !person.email_verified) throw unverified()
    const created = await insertViewer(db, email, person.name)
    const account = created ?? (await findOne(db, 'email = $1 for update', [email]))
    // Someone else has this address at the provider now: no reason to hand over an account.
    if (!account || account.isLinked) throw taken()
    await link(db, account, person)
    const { address, requestId, route } = visitor
    await recordAudit(db, {
      actor: account.id,
      action: created ? 'user-created' : 'user-changed',
      route,
      object: account.id,
      objectName: email,
      after: { ...(created && { role: created.role }), signsInBy: 'single sign-on' },
      address,
      requestId,
    })
    return admissible(account)
  })
}

function findLinked(db: Database, issuer: string, subject: string) {
  return findOne(db, 'oidc_issuer = $1 and oidc_subject = $2', [issuer, subject])
}

/** By the provider's own spelling of its name, whichever the settings have. */
async function link(db: Database, { id }: Pick<Account, 'id'>, { iss, sub }: OidcPerson): Promise<void> {
  await db.query('update account set oidc_issuer = $2, oidc_subject = $3 where id = $1', [id, iss, sub])
}

async function findOne(db: Database, condition: string, values: readonly string[]) {
  const { rows } = await db.query(`select ${COLUMNS} from account where ${condition}`, values)
  return rows.length > 0 ? accountRowSchema.parse(rows[0]) : null
}

/** Null when there is an account of this address. */
async function insertViewer(db: Database, email: string, givenName: string | undefined) {
  const name = personNameSchema.safeParse(givenName).data ?? email.split('@', 1).join('')
  const { rows } = await db.query(
    `insert into account (email, name, role) values ($1, $2, 'viewer')
     on conflict (email) do nothing returning ${COLUMNS}`,
    [email, name],
  )
  return rows.length > 0 ? accountRowSchema.parse(rows[0]) : null
}

function admissible({ isDisabled, isLinked, ...account }: z.infer<typeof accountRowSchema>): Account {
  if (isDisabled) throw accountDisabled()
  return account
}

function unverified(): ProblemError {
  return new ProblemError({
    code: 'sign_in_failed',
    detail: 'Your identity provider has not confirmed your e-mail address. Ask whoever runs it.',
  })
}

function taken(): ProblemError {
  return new ProblemError({
    code: 'sign_in_failed',
    detail: 'Your e-mail address belongs to another identity here. Ask an admin of your Lantern.',
  })
}
