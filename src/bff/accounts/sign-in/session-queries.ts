import * as z from 'zod/mini'
import { createToken, hashToken } from '#bff/http/token.ts'
import { sessionSchema } from '#contract/bff/session.ts'
import type { Database, QueryAnswer } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'

/** Told to every process, with the account's id, when sessions have ended, so that none serves them from memory. */
export const SESSIONS_ENDED_CHANNEL = 'lantern_sessions_ended'

const storedSessionSchema = z.extend(sessionSchema, {
  id: z.string(),
  /** Until it ends by itself, by age or by idleness. */
  endsInMs: z.number(),
  idleMs: z.number(),
})
export type StoredSession = z.infer<typeof storedSessionSchema>

const ABSOLUTE = `interval '12 hours'`
const IDLE = `interval '30 minutes'`

const LIVING = `
  select session.id,
         json_build_object('id', account.id, 'email', email, 'name', name, 'role', role) as "user",
         ${isoUtc('expires_at')} as "expiresAt",
         (extract(epoch from least(expires_at, seen_at + ${IDLE}) - now()) * 1000)::float8 as "endsInMs",
         (extract(epoch from now() - seen_at) * 1000)::float8 as "idleMs"
    from session join account on account.id = account_id
   where expires_at > now() and seen_at > now() - ${IDLE} and disabled_at is null`

/**
 * Signs an enabled account in; one whose password was verified, only while that is its password. False where it is not so
 * any more. The account stays locked meanwhile: whoever changes it either comes first, or finds the session and ends it.
 */
export async function insertSession(
  db: Database,
  tokenHash: Buffer,
  { accountId, passwordHash = null }: { accountId: string; passwordHash?: string | null },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into session (token_hash, account_id, expires_at)
     select $1, id, now() + ${ABSOLUTE} from account
      where id = $2 and disabled_at is null and ($3::text is null or password_hash = $3)
        for share`,
    [tokenHash, accountId, passwordHash],
  )
  return rowCount > 0
}

/** Signs in whom a one-time link is for, and spends it; false where it is no good. */
export async function insertSessionByLink(
  db: Database,
  tokenHash: Buffer,
  linkHash: Buffer,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `with owner as (
       select account.id from account join sign_in_link on account_id = account.id
        where sign_in_link.token_hash = $2 and expires_at > now() and disabled_at is null
          for share of account),
     link as (
       delete from sign_in_link using owner where token_hash = $2 and account_id = owner.id returning account_id)
     insert into session (token_hash, account_id, expires_at) select $1, account_id, now() + ${ABSOLUTE} from link`,
    [tokenHash, linkHash],
  )
  return rowCount > 0
}

export async function findSession(db: Database, tokenHash: Buffer): Promise<StoredSession | null> {
  return parseSession(await db.query(`${LIVING} and token_hash = $1`, [tokenHash]))
}

/** Keeps a session and its account as they are until the transaction ends; null when it has ended. */
export async function lockSession(tx: Database, id: string): Promise<StoredSession | null> {
  return parseSession(await tx.query(`${LIVING} and session.id = $1 for share`, [id]))
}

function parseSession({ rows }: QueryAnswer): StoredSession | null {
  return rows.length > 0 ? storedSessionSchema.parse(rows[0]) : null
}

/** An ended session stays ended: one that has idled out is not revived. */
export async function touchSession(db: Database, id: string): Promise<void> {
  await db.query(`update session set seen_at = now() where id = $1 and seen_at > now() - ${IDLE}`, [id])
}

export async function deleteEndedSessions(db: Database): Promise<void> {
  await db.query(`delete from session where expires_at <= now() or seen_at <= now() - ${IDLE}`)
}

export async function deleteSession(db: Database, tokenHash: Buffer): Promise<void> {
  await db.query(
    `with ended as (delete from session where token_hash = $1 returning account_id)
     select pg_notify('${SESSIONS_ENDED_CHANNEL}', account_id::text) from ended`,
    [tokenHash],
  )
}

export async function deleteSessionsOf(db: Database, accountId: string): Promise<void> {
  await db.query(
    `with ended as (delete from session where account_id = $1 returning account_id)
     select pg_notify('${SESSIONS_ENDED_CHANNEL}', account_id::text) from ended`,
    [accountId],
  )
}

/** Ends every session of an account; whoever acts goes on under the fresh token that it answers. */
export async function renewSession(tx: Database, accountId: string): Promise<string> {
  const token = createToken()
  await deleteSessionsOf(tx, accountId)
  await insertSession(tx, hashToken(token), { accountId })
  return token
}
