import * as z from 'zod/mini'
import { type Factors, factorsSchema } from '#contract/bff/factor.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { affectsRows, execute, findRow, onlyColumn, readRow, readRows } from '#database/read-rows.ts'

const storedFactorsSchema = z.omit(factorsSchema, { isRequired: true })

export async function readFactors(db: Database, accountId: string): Promise<Omit<Factors, 'isRequired'>> {
  return readRow(db, storedFactorsSchema, [accountId])`
    select password_hash is not null as "hasPassword",
           (select json_build_object('createdAt', ${isoUtc('confirmed_at')}) from totp_factor
             where account_id = account.id and confirmed_at is not null) as totp,
           coalesce((select json_agg(json_build_object('id', passkey.id, 'name', passkey.name,
                       'createdAt', ${isoUtc('passkey.created_at')}, 'usedAt', ${isoUtc('used_at')})
                       order by passkey.created_at)
                       from passkey where account_id = account.id), '[]') as passkeys,
           (select count(*)::int from recovery_code where account_id = account.id) as "recoveryCodes"
      from account where id = $1`
}

/** Keeps the factors of an account from being changed by others until the transaction ends. */
export async function lockFactors(tx: Database, accountId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 28))', [accountId])
}

/** A secret that no code has confirmed takes the place of another such, never of one that counts. */
export async function insertTotp(db: Database, accountId: string, sealedSecret: Buffer): Promise<boolean> {
  return affectsRows(db, [accountId, sealedSecret])`
    insert into totp_factor (account_id, sealed_secret) values ($1, $2)
    on conflict (account_id) do update set sealed_secret = excluded.sealed_secret, created_at = now()
     where totp_factor.confirmed_at is null`
}

const totpSchema = z.object({ sealedSecret: z.instanceof(Buffer), isConfirmed: z.boolean() })

export async function findTotp(db: Database, accountId: string): Promise<z.infer<typeof totpSchema> | null> {
  return findRow(db, totpSchema, [accountId])`
    select sealed_secret as "sealedSecret", confirmed_at is not null as "isConfirmed"
      from totp_factor where account_id = $1`
}

const sealedTotpSchema = z.object({ accountId: z.string(), sealedSecret: z.instanceof(Buffer) })

/** Every account's. */
export async function listTotp(db: Database): Promise<z.infer<typeof sealedTotpSchema>[]> {
  return readRows(db, sealedTotpSchema)`
    select account_id as "accountId", sealed_secret as "sealedSecret" from totp_factor`
}

/** Unless it was replaced meanwhile. */
export async function replaceSealedTotp(
  db: Database,
  { accountId, from, to }: { accountId: string; from: Buffer; to: Buffer },
): Promise<void> {
  await execute(db, [...[accountId, from, to]])`
    update totp_factor set sealed_secret = $3 where account_id = $1 and sealed_secret = $2`
}

/** Takes a code's time step; false where it or a later one was taken before. */
export async function spendTotpStep(db: Database, accountId: string, step: number): Promise<boolean> {
  return affectsRows(db, [accountId, step])`
    update totp_factor set last_step = $2 where account_id = $1 and last_step < $2`
}

export async function confirmTotp(db: Database, accountId: string): Promise<void> {
  await db.query('update totp_factor set confirmed_at = now() where account_id = $1', [accountId])
}

export async function deleteTotp(db: Database, accountId: string): Promise<boolean> {
  return affectsRows(db, [accountId])`
    delete from totp_factor where account_id = $1 and confirmed_at is not null`
}

const storedPasskeySchema = z.object({
  id: z.string(),
  publicKey: z.pipe(
    z.instanceof(Buffer),
    z.transform((bytes) => new Uint8Array(bytes)),
  ),
  counter: z.coerce.number(),
  transports: z.array(z.string()),
})
/** A passkey as a browser and an authenticator know it: `id` is the credential's own. */
export type StoredPasskey = z.infer<typeof storedPasskeySchema>

export async function listPasskeys(db: Database, accountId: string): Promise<StoredPasskey[]> {
  return readRows(db, storedPasskeySchema, [accountId])`
    select credential_id as id, public_key as "publicKey", counter, transports
      from passkey where account_id = $1 order by created_at`
}

/** False where this passkey is somebody's already. */
export async function insertPasskey(
  db: Database,
  accountId: string,
  { name, id, publicKey, counter, transports }: StoredPasskey & { name: string },
): Promise<boolean> {
  return affectsRows(db, [accountId, name, id, Buffer.from(publicKey), counter, transports])`
    insert into passkey (account_id, name, credential_id, public_key, counter, transports)
    values ($1, $2, $3, $4, $5, $6) on conflict (credential_id) do nothing`
}

/** Notes a use; false where the passkey is gone, or its counter has not gone on, as that of a copy. */
export async function spendPasskey(db: Database, accountId: string, id: string, counter: number) {
  return affectsRows(db, [accountId, id, counter])`
    update passkey set counter = $3, used_at = now()
     where account_id = $1 and credential_id = $2 and (counter < $3 or (counter = 0 and $3 = 0))`
}

/** The name that it had; null where the account has no such passkey. */
export async function renamePasskey(
  db: Database,
  accountId: string,
  id: string,
  name: string,
): Promise<string | null> {
  return findRow(db, onlyColumn(z.string()), [accountId, id, name])`
    with before as (select id, name from passkey where account_id = $1 and id::text = $2 for update)
    update passkey set name = $3 from before where passkey.id = before.id returning before.name`
}

export async function deletePasskey(db: Database, accountId: string, id: string): Promise<string | null> {
  return findRow(db, onlyColumn(z.string()), [accountId, id])`
    delete from passkey where account_id = $1 and id::text = $2 returning name`
}

export async function replaceRecoveryCodes(
  tx: Database,
  accountId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.query('delete from recovery_code where account_id = $1', [accountId])
  await execute(tx, [accountId, hashes])`
    insert into recovery_code (account_id, code_hash) select $1, unnest($2::bytea[])`
}

export async function hasRecoveryCode(db: Database, accountId: string, hash: Buffer): Promise<boolean> {
  return affectsRows(db, [accountId, hash])`
    select from recovery_code where account_id = $1 and code_hash = $2`
}

/** False where it was used before. */
export async function spendRecoveryCode(db: Database, accountId: string, hash: Buffer): Promise<boolean> {
  return affectsRows(db, [accountId, hash])`
    delete from recovery_code where account_id = $1 and code_hash = $2`
}

/** The account is back to its password alone; false where it was before. */
export async function deleteFactors(tx: Database, accountId: string): Promise<boolean> {
  let deleted = 0
  for (const table of ['recovery_code', 'passkey', 'totp_factor']) {
    deleted += await execute(tx, [accountId])`delete from ${table} where account_id::text = $1`
  }
  return deleted > 0
}
