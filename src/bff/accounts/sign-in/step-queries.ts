import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { affectsRows, findRow, onlyColumn } from '#database/read-rows.ts'

const LIFETIME = `interval '5 minutes'`
const LIVING = 'token_hash = $1 and sign_in_step.expires_at > now()'

const stepSchema = z.object({
  accountId: z.string(),
  isKnownDevice: z.boolean(),
  hasTotp: z.boolean(),
  hasPasskeys: z.boolean(),
})
export type StoredStep = z.infer<typeof stepSchema>

/**
 * Begins the wait for a second step, while the password that was verified is still the account's and the account is
 * enabled; false where it is not so any more, or there is no second factor.
 */
export async function insertStep(
  db: Database,
  tokenHash: Buffer,
  {
    accountId,
    passwordHash,
    isKnownDevice,
  }: { accountId: string; passwordHash: string; isKnownDevice: boolean },
): Promise<boolean> {
  await db.query('delete from sign_in_step where expires_at < now()')
  return affectsRows(db, [tokenHash, accountId, passwordHash, isKnownDevice])`
    insert into sign_in_step (token_hash, account_id, is_known_device, expires_at)
    select $1, id, $4, now() + ${LIFETIME} from account
     where id = $2 and disabled_at is null and password_hash = $3
       for share`
}

export async function findStep(db: Database, tokenHash: Buffer): Promise<StoredStep | null> {
  return findRow(db, stepSchema, [tokenHash])`
    select account_id as "accountId", is_known_device as "isKnownDevice",
           exists (select from totp_factor
                    where totp_factor.account_id = sign_in_step.account_id and confirmed_at is not null) as "hasTotp",
           exists (select from passkey where passkey.account_id = sign_in_step.account_id) as "hasPasskeys"
      from sign_in_step where ${LIVING}`
}

/**
 * Keeps the step, and the account first as whoever changes that does, until the transaction ends; false where it is over
 * or was taken.
 */
export async function lockStep(tx: Database, tokenHash: Buffer, accountId: string): Promise<boolean> {
  await tx.query('select from account where id = $1 for share', [accountId])
  return affectsRows(tx, [tokenHash])`select from sign_in_step where ${LIVING} for update`
}

export async function deleteStep(db: Database, tokenHash: Buffer): Promise<void> {
  await db.query('delete from sign_in_step where token_hash = $1', [tokenHash])
}

/** Stores the challenge that a passkey has to sign; the former one becomes invalid. */
export async function putStepChallenge(db: Database, tokenHash: Buffer, challenge: string): Promise<void> {
  await db.query('update sign_in_step set challenge = $2 where token_hash = $1', [tokenHash, challenge])
}

export async function takeStepChallenge(db: Database, tokenHash: Buffer): Promise<string | null> {
  return findRow(db, onlyColumn(z.nullable(z.string())), [tokenHash])`
    with asked as (select token_hash, challenge from sign_in_step where ${LIVING} for update)
    update sign_in_step as step set challenge = null from asked
     where step.token_hash = asked.token_hash returning asked.challenge`
}
