import * as z from 'zod/mini'
import { type AuditRecord, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { lockSession, SESSIONS_ENDED_CHANNEL } from '#bff/accounts/sign-in/session-queries.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import { requireRole } from '#bff/http/require-role.ts'
import type { ReaderSession } from '#bff/http/route.ts'
import type { Database } from '#database/database.ts'
import { findLinked, link } from './oidc-account.ts'
import type { OidcPerson } from './oidc-provider.ts'

type Facts = Pick<AuditRecord, 'actor' | 'route' | 'address' | 'requestId'>

/** Links a signed-in account to the person whom the provider names, who can then sign in by the provider too. */
export function linkAccount(
  database: Database,
  session: ReaderSession,
  { person, configuredIssuer, facts }: { person: OidcPerson; configuredIssuer: string; facts: Facts },
): Promise<void> {
  return changeWays(database, session, async (tx, { issuer }) => {
    const { id, email } = session.user
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
    await recordAudit(tx, { ...facts, action: 'sso-linked', object: id, objectName: email, after })
  })
}

/** Sessions that the provider opened end with the link, but for the one that asks. */
export function unlinkAccount(
  database: Database,
  session: ReaderSession,
  { hasPasswordSignIn, facts }: { hasPasswordSignIn: boolean; facts: Facts },
): Promise<void> {
  return changeWays(database, session, async (tx, { issuer, subject, hasPassword }) => {
    const { id, email } = session.user
    if (issuer === null) return
    if (!hasPassword || !hasPasswordSignIn) {
      throw new ProblemError({
        code: 'conflict',
        title: 'Not unlinked',
        detail: 'Single sign-on is the only way into this account.',
      })
    }
    await tx.query('update account set oidc_issuer = null, oidc_subject = null where id = $1', [id])
    await tx.query(
      `with ended as (
         delete from session where account_id = $1 and oidc_subject is not null and id <> $2 returning account_id)
       select pg_notify('${SESSIONS_ENDED_CHANNEL}', account_id::text) from ended`,
      [id, session.id],
    )
    const before = { issuer, subject }
    await recordAudit(tx, { ...facts, action: 'sso-unlinked', object: id, objectName: email, before })
  })
}

const waysSchema = z.object({
  issuer: z.nullable(z.string()),
  subject: z.nullable(z.string()),
  hasPassword: z.boolean(),
})

/** The account is locked before its session: the other way round, two changes could wait for each other for ever. */
function changeWays(
  database: Database,
  session: ReaderSession,
  change: (tx: Database, ways: z.infer<typeof waysSchema>) => Promise<void>,
): Promise<void> {
  return database.transaction(async (tx) => {
    const { rows } = await tx.query(
      `select oidc_issuer as issuer, oidc_subject as subject, password_hash is not null as "hasPassword"
         from account where id = $1 for no key update`,
      [session.user.id],
    )
    requireRole(await lockSession(tx, session.id), 'viewer')
    return change(tx, waysSchema.parse(rows[0]))
  })
}

function notLinked(detail: string): ProblemError {
  return new ProblemError({ code: 'conflict', title: 'Not linked', detail })
}
