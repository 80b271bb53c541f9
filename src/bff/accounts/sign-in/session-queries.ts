import * as z from 'zod/mini'
import { sessionSchema } from '#contract/bff/session.ts'
import type { Database } from '#database/database.ts'

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

export async function insertSession(db: Database, tokenHash: Buffer, accountId: string): Promise<void> {
  await db.query(`delete from session where expires_at <= now() or seen_at <= now() - ${IDLE}`)
  await db.query(
    `insert into session (token_hash, account_id, expires_at) values ($1, $2, now() + ${ABSOLUTE})`,
    [tokenHash, accountId],
  )
}

export async function findSession(db: Database, tokenHash: Buffer): Promise<StoredSession | null> {
  const { rows } = await db.query(
    `select session.id,
            json_build_object('id', account.id, 'email', email, 'name', name, 'role', role) as "user",
            to_char(expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "expiresAt",
            (extract(epoch from least(expires_at, seen_at + ${IDLE}) - now()) * 1000)::float8 as "endsInMs",
            (extract(epoch from now() - seen_at) * 1000)::float8 as "idleMs"
       from session join account on account.id = account_id
      where token_hash = $1 and expires_at > now() and seen_at > now() - ${IDLE}
        and disabled_at is null`,
    [tokenHash],
  )
  return rows.length > 0 ? storedSessionSchema.parse(rows[0]) : null
}

/** An ended session stays ended: one that has idled out is not revived. */
export async function touchSession(db: Database, id: string): Promise<void> {
  await db.query(`update session set seen_at = now() where id = $1 and seen_at > now() - ${IDLE}`, [id])
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
