import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { SESSIONS_ENDED_CHANNEL } from '#bff/accounts/sign-in/session-queries.ts'
import type { Database } from '#database/database.ts'
import { execute, findRow, readRows } from '#database/read-rows.ts'
import { openSealed, type SealedPlace, seal } from '#server/seal.ts'
import type { LogoutToken } from './logout-token.ts'
import { type OidcPerson, readProvedAt } from './oidc-provider.ts'

/** A used token is remembered for this long, which is longer than any is valid. */
const TAKEN_FOR = `interval '1 hour'`
/** An address that is longer is refused by servers on the way: then the provider asks whoever signs out. */
const ID_TOKEN_MAX_LENGTH = 6_000

/**
 * Stores who opened a session at the provider, and when they authenticated there, which is no later than here. If the
 * provider reports no time, they count as not authenticated.
 */
export async function markSession(
  db: Database,
  tokenHash: Buffer,
  { person, idToken, secret }: { person: OidcPerson; idToken: string; secret: string },
): Promise<void> {
  const { iss, sub, sid } = person
  const sealed = idToken.length <= ID_TOKEN_MAX_LENGTH ? seal(idToken, placeOf(tokenHash), secret) : null
  await execute(db, [tokenHash, iss, sub, sid ?? null, sealed, readProvedAt(person) ?? 0])`
    update session set oidc_issuer = $2, oidc_subject = $3, oidc_sid = $4, sealed_id_token = $5,
           proved_at = least(proved_at, to_timestamp($6))
     where token_hash = $1`
}

/** A reader of the database cannot learn what the provider says of a person. */
function placeOf(tokenHash: Buffer): SealedPlace {
  return { purpose: 'lantern id token', row: ['session', tokenHash.toString('hex')] }
}

/** Null for a session that the provider did not open, or that was sealed with another secret. */
export async function readIdToken(db: Database, sessionId: string, secret: string): Promise<string | null> {
  const row = await findRow(db, z.object({ sealed: z.instanceof(Buffer), tokenHash: z.instanceof(Buffer) }), [
    sessionId,
  ])`
    select sealed_id_token as sealed, token_hash as "tokenHash" from session
     where id = $1 and sealed_id_token is not null`
  return row ? openSealed(row.sealed, placeOf(row.tokenHash), secret) : null
}

/** Ends the sessions that a provider means, once for each token; null for one that was taken before. */
export function endProviderSessions(
  database: Database,
  { iss, jti, sub, sid }: LogoutToken,
  facts: { route: string; address: string; requestId: string },
): Promise<number | null> {
  return database.transaction(async (tx) => {
    await tx.query(`delete from logout_token where received_at < now() - ${TAKEN_FOR}`)
    const rowCount = await execute(tx, [iss, createHash('sha256').update(jti).digest()])`
      insert into logout_token (issuer, jti_hash) values ($1, $2) on conflict do nothing`
    if (rowCount === 0) return null
    // A session whose name is unknown here is one of its person's.
    const owners = await readRows(tx, z.object({ id: z.string(), email: z.string(), sessions: z.number() }), [
      iss,
      sub ?? null,
      sid ?? null,
    ])`
      with ended as (
        delete from session
         where oidc_issuer = $1 and ($2::text is null or oidc_subject = $2)
           and ($3::text is null or oidc_sid = $3 or (oidc_sid is null and $2 is not null))
        returning account_id),
      owner as (select account_id, count(*)::int as sessions from ended group by account_id)
      select account_id as id, email, sessions, pg_notify('${SESSIONS_ENDED_CHANNEL}', account_id::text)
        from owner join account on account.id = account_id`
    for (const { id, email, sessions } of owners) {
      const subject = { object: id, objectName: email, after: { sessionsEnded: sessions } }
      await recordAudit(tx, { ...facts, actor: null, action: 'signed-out-by-provider', ...subject })
    }
    return owners.reduce((sum, { sessions }) => sum + sessions, 0)
  })
}
