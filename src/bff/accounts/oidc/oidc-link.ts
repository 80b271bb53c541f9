import * as z from 'zod/mini'
import { type ChangeContext, makeChange, type RecordChange } from '#bff/accounts/make-change.ts'
import { lockAccount } from '#bff/accounts/sign-in/account-queries.ts'
import { SESSIONS_ENDED_CHANNEL } from '#bff/accounts/sign-in/session-queries.ts'
import { conflict, type ProblemError } from '#bff/http/problem-error.ts'
import type { Database } from '#database/database.ts'
import { execute, readRow } from '#server/read-rows.ts'
import { findLinked, link } from './oidc-account.ts'
import type { OidcPerson } from './oidc-provider.ts'

/** Links a signed-in account to the person whom the provider names, who can then sign in by the provider too. */
export function linkAccount(
  database: Database,
  context: ChangeContext,
  { person, configuredIssuer }: { person: OidcPerson; configuredIssuer: string },
): Promise<void> {
  return changeWays(database, context, async (tx, record, { issuer }) => {
    const { id, email } = context.session.user
    const other = await findLinked(tx, person, configuredIssuer)
    if (other && other.id !== id) {
      throw notLinked(
        'At your identity provider you are signed in as somebody who has another account here. Sign out there, then link again.',
      )
    }
    if (other) return
    if (issuer !== null) throw notLinked('This account is linked to another identity. Unlink it first.')
    await link(tx, id, person)
    const after = { issuer: person.iss, subject: person.sub, ...(person.email && { email: person.email }) }
    await record({ action: 'sso-linked', object: id, objectName: email, after })
  })
}

/** Sessions that the provider opened end with the link, but for the one that asks. */
export function unlinkAccount(
  database: Database,
  context: ChangeContext,
  hasPasswordSignIn: boolean,
): Promise<void> {
  return changeWays(database, context, async (tx, record, { issuer, subject, hasPassword }) => {
    const { id, email } = context.session.user
    if (issuer === null) return
    if (!hasPassword || !hasPasswordSignIn) {
      throw conflict('Single sign-on is the only way into this account.', 'Not unlinked')
    }
    await tx.query('update account set oidc_issuer = null, oidc_subject = null where id = $1', [id])
    await execute(tx, [id, context.session.id])`
      with ended as (
        delete from session where account_id = $1 and oidc_subject is not null and id <> $2 returning account_id)
      select pg_notify('${SESSIONS_ENDED_CHANNEL}', account_id::text) from ended`
    const before = { issuer, subject }
    await record({ action: 'sso-unlinked', object: id, objectName: email, before })
  })
}

const waysSchema = z.object({
  issuer: z.nullable(z.string()),
  subject: z.nullable(z.string()),
  hasPassword: z.boolean(),
})

function changeWays(
  database: Database,
  context: ChangeContext,
  change: (tx: Database, record: RecordChange, ways: z.infer<typeof waysSchema>) => Promise<void>,
): Promise<void> {
  const { id } = context.session.user
  return makeChange(
    database,
    context,
    'viewer',
    async (tx, record) => {
      const row = await readRow(tx, waysSchema, [id])`
        select oidc_issuer as issuer, oidc_subject as subject, password_hash is not null as "hasPassword"
          from account where id = $1`
      return change(tx, record, row)
    },
    (tx) => lockAccount(tx, id),
  )
}

function notLinked(detail: string): ProblemError {
  return conflict(detail, 'Not linked')
}
