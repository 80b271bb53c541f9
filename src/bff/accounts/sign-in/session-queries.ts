import * as z from 'zod/mini'
import { createToken, hashToken } from '#bff/http/token.ts'
import { beganBySchema, type OwnSession, ownSessionSchema } from '#contract/bff/own-session.ts'
import { sessionSchema } from '#contract/bff/session.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { affectsRows, execute, findRow, onlyColumn, readRows } from '#database/read-rows.ts'

/** Every process receives the account's id when sessions have ended, so that none serves them from memory. */
export const SESSIONS_ENDED_CHANNEL = 'lantern_sessions_ended'

const storedSessionSchema = z.extend(sessionSchema, {
  id: z.string(),
  /** The session ends by age or by idleness after this time. */
  endsInMs: z.number(),
  idleMs: z.number(),
  hasFreshProof: z.boolean(),
  beganBy: beganBySchema,
  hasFactor: z.boolean(),
  hasPassword: z.boolean(),
})
export type StoredSession = z.infer<typeof storedSessionSchema>

const ABSOLUTE = `interval '12 hours'`
const IDLE = `interval '30 minutes'`
const FRESH = `interval '10 minutes'`

/** The account has a second factor that counts. */
export const HAS_FACTOR = `
  (exists (select from totp_factor where account_id = account.id and confirmed_at is not null)
    or exists (select from passkey where account_id = account.id))`

const LIVING = `
  select session.id,
         json_build_object('id', account.id, 'email', email, 'name', name, 'role', role) as "user",
         ${isoUtc('expires_at')} as "expiresAt",
         (extract(epoch from least(expires_at, seen_at + ${IDLE}) - now()) * 1000)::float8 as "endsInMs",
         (extract(epoch from now() - seen_at) * 1000)::float8 as "idleMs",
         proved_at > now() - ${FRESH} as "hasFreshProof",
         began_by as "beganBy",
         ${HAS_FACTOR} as "hasFactor",
         password_hash is not null as "hasPassword"
    from session join account on account.id = account_id
   where expires_at > now() and seen_at > now() - ${IDLE} and disabled_at is null`

/**
 * Signs an enabled account in; one whose password was verified and nothing else, only while that is its password and
 * suffices. False where it is not so any more. The account stays locked meanwhile: whoever changes it either comes first, or finds the session and ends it.
 */
export async function insertSession(
  db: Database,
  tokenHash: Buffer,
  { accountId, byPassword = null }: { accountId: string; byPassword?: string | null },
): Promise<boolean> {
  return affectsRows(db, [tokenHash, accountId, byPassword])`
    insert into session (token_hash, account_id, expires_at)
    select $1, id, now() + ${ABSOLUTE} from account
     where id = $2 and disabled_at is null and ($3::text is null or (password_hash = $3 and not ${HAS_FACTOR}))
       for share`
}

/** Signs in whom a one-time link is for, and spends it; false where it is no good. */
export async function insertSessionByLink(
  db: Database,
  tokenHash: Buffer,
  linkHash: Buffer,
): Promise<boolean> {
  return affectsRows(db, [tokenHash, linkHash])`
    with owner as (
      select account.id from account join sign_in_link on account_id = account.id
       where sign_in_link.token_hash = $2 and expires_at > now() and disabled_at is null
         and (role = 'admin' or not is_break_glass)
         for share of account),
    link as (
      delete from sign_in_link using owner where token_hash = $2 and account_id = owner.id returning account_id)
    insert into session (token_hash, account_id, expires_at) select $1, account_id, now() + ${ABSOLUTE} from link`
}

/** Returns true if signing in takes a second step. */
export async function hasFactor(db: Database, accountId: string): Promise<boolean> {
  return affectsRows(db, [accountId])`select from account where id = $1 and ${HAS_FACTOR}`
}

export async function findSession(db: Database, tokenHash: Buffer): Promise<StoredSession | null> {
  return findRow(db, storedSessionSchema, [tokenHash])`${LIVING} and token_hash = $1`
}

/** Keeps a session and its account as they are until the transaction ends; null when it has ended. */
export async function lockSession(tx: Database, id: string): Promise<StoredSession | null> {
  return findRow(tx, storedSessionSchema, [id])`${LIVING} and session.id = $1 for share`
}

/** An ended session stays ended: one that has idled out is not revived. */
export async function touchSession(db: Database, id: string): Promise<void> {
  await db.query(`update session set seen_at = now() where id = $1 and seen_at > now() - ${IDLE}`, [id])
}

export async function deleteEndedSessions(db: Database): Promise<void> {
  await db.query(`delete from session where expires_at <= now() or seen_at <= now() - ${IDLE}`)
}

export async function deleteSession(db: Database, tokenHash: Buffer): Promise<void> {
  await execute(db, [tokenHash])`
    with ended as (delete from session where token_hash = $1 returning account_id)
    select pg_notify('${SESSIONS_ENDED_CHANNEL}', account_id::text) from ended`
}

/** Ends every session of an account, and sign-ins whose second step is awaited. */
export async function deleteSessionsOf(db: Database, accountId: string): Promise<void> {
  // First: a step that is being taken becomes a session, which the next statement finds.
  await db.query('delete from sign_in_step where account_id = $1', [accountId])
  await execute(db, [accountId])`
    with ended as (delete from session where account_id = $1 returning account_id)
    select pg_notify('${SESSIONS_ENDED_CHANNEL}', account_id::text) from ended`
}

/** Ends every other session of an account; whoever acts goes on under the fresh token that it answers. */
export async function renewSession(tx: Database, id: string, accountId: string): Promise<string> {
  const token = createToken()
  await tx.query('update session set token_hash = $2 where id = $1', [id, hashToken(token)])
  await deleteOtherSessions(tx, id, accountId)
  return token
}

/** Every process is notified, even if no other session exists: this one may get another token. */
export async function deleteOtherSessions(tx: Database, id: string, accountId: string): Promise<number> {
  await tx.query('delete from sign_in_step where account_id = $1', [accountId])
  const rowCount = await execute(tx, [id, accountId])`delete from session where account_id = $2 and id <> $1`
  await tx.query(`select pg_notify('${SESSIONS_ENDED_CHANNEL}', $1)`, [accountId])
  return rowCount
}

export type SessionOrigin = { device: string; address: string; beganBy: OwnSession['beganBy'] }

/**
 * Notes where a session was begun, for its own person to see. One that a link or a provider began is no fresh proof where
 * the account has a second factor, which neither asks for.
 */
export async function noteOrigin(
  tx: Database,
  tokenHash: Buffer,
  { device, address, beganBy }: SessionOrigin,
): Promise<void> {
  await execute(tx, [tokenHash, device, address, beganBy])`
    update session set device = $2, address = $3, began_by = $4,
           proved_at = case when $4 <> 'password' and ${HAS_FACTOR} then 'epoch' else proved_at end
      from account where account.id = account_id and token_hash = $1`
}

/** Its person has proven to be there. */
export async function refreshProof(
  tx: Database,
  id: string,
  { byFactor }: { byFactor: boolean },
): Promise<void> {
  await execute(tx, [id, byFactor])`
    update session set proved_at = now(), factor_proved_at = case when $2 then now() else factor_proved_at end
     where id = $1`
}

/** Spends the confirmation by a second factor that was made at this session; false where there is none. */
export async function spendFactorProof(tx: Database, id: string): Promise<boolean> {
  return affectsRows(tx, [id])`
    update session set factor_proved_at = null where id = $1 and factor_proved_at > now() - ${FRESH}`
}

/** A password alone is no longer a proof: the account has a second factor now, which session `id` has shown. */
export async function endPasswordProofs(tx: Database, id: string, accountId: string): Promise<void> {
  await execute(tx, [id, accountId])`
    update session set proved_at = case when id = $1 then now() else 'epoch' end where account_id = $2`
}

/** The account's living sessions, the one in use first, then the last used. */
export async function listSessions(
  db: Database,
  { id, accountId }: { id: string; accountId: string },
): Promise<OwnSession[]> {
  return readRows(db, ownSessionSchema, [id, accountId])`
    select id, device, address, began_by as "beganBy", ${isoUtc('created_at')} as "beganAt",
           ${isoUtc('seen_at')} as "usedAt", id = $1 as "isThis"
      from session
     where account_id = $2 and expires_at > now() and seen_at > now() - ${IDLE}
     order by id = $1 desc, session.seen_at desc`
}

/** False where the account has no such session. */
export async function deleteSessionById(tx: Database, id: string, accountId: string): Promise<boolean> {
  return affectsRows(tx, [id, accountId])`
    with ended as (delete from session where id::text = $1 and account_id = $2 returning account_id)
    select pg_notify('${SESSIONS_ENDED_CHANNEL}', account_id::text) from ended`
}

/** Stores the challenge that a passkey has to sign in this session; the former one becomes invalid. */
export async function putChallenge(db: Database, id: string, challenge: string): Promise<void> {
  await db.query('update session set challenge = $2, challenged_at = now() where id = $1', [id, challenge])
}

/** Once, within 5 minutes. */
export async function takeChallenge(db: Database, id: string): Promise<string | null> {
  return findRow(db, onlyColumn(z.nullable(z.string())), [id])`
    with asked as (
      select id, challenge from session
       where id = $1 and challenged_at > now() - interval '5 minutes' for update)
    update session set challenge = null from asked where session.id = asked.id returning asked.challenge`
}
