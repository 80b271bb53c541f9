import * as z from 'zod/mini'
import { type Session, sessionSchema } from '#contract/bff/session.ts'
import type { Database } from '#database/database.ts'
import { affectsRows, execute, findRow, onlyColumn, readRow } from '#database/read-rows.ts'

export type Account = Session['user']

const accountRowSchema = z.object({ account: sessionSchema.shape.user })
/** An account as a sign-in sees it. */
const candidateSchema = z.extend(accountRowSchema, {
  passwordHash: z.nullable(z.string()),
  isDisabled: z.boolean(),
  isKnownDevice: z.boolean(),
})
export type Candidate = z.infer<typeof candidateSchema>

const ACCOUNT = `
  json_build_object('id', account.id, 'email', email, 'name', name, 'role', role) as account`
const IS_RECENT = `signed_in_at > now() - interval '90 days'`

export async function findCandidate(
  db: Database,
  { email, device }: { email: string; device: string | null },
): Promise<Candidate | null> {
  return findRow(db, candidateSchema, [email, device])`
    select ${ACCOUNT}, password_hash as "passwordHash", disabled_at is not null as "isDisabled",
           exists (select from known_place
                    where account_id = account.id and place = $2 and ${IS_RECENT}) as "isKnownDevice"
      from account
     where email = $1`
}

/** Returns true if anybody has signed in from an address. */
export async function isKnownAddress(db: Database, address: string): Promise<boolean> {
  return affectsRows(db, [address])`
    select from known_place where place = $1 and ${IS_RECENT} limit 1`
}

/** Returns true if an account has signed in before, and never from this device as far as is stored. */
export async function isOtherDevice(db: Database, accountId: string, device: string): Promise<boolean> {
  return affectsRows(db, [accountId, device])`
    select from known_place where account_id = $1 having count(*) > 0 and not bool_or(place = $2)`
}

/** Remembers for 90 days where an account has signed in from. */
export async function rememberPlaces(
  db: Database,
  accountId: string,
  places: readonly string[],
): Promise<void> {
  await db.query(`delete from known_place where signed_in_at < now() - interval '90 days'`)
  await execute(db, [accountId, places])`
    insert into known_place (account_id, place) select $1, unnest($2::text[])
    on conflict (account_id, place) do update set signed_in_at = now()`
}

export async function forgetPlaces(db: Database, accountId: string): Promise<void> {
  await db.query('delete from known_place where account_id = $1', [accountId])
}

/** Keeps others from changing accounts until the transaction ends: two admins must not demote each other at once. */
export async function lockAccounts(tx: Database): Promise<void> {
  await tx.query('lock table account in share row exclusive mode')
}

/** Locks an account that is about to be changed. Two changes that locked its session first would wait for each other for ever. */
export async function lockAccount(tx: Database, id: string): Promise<void> {
  await tx.query('select from account where id = $1 for no key update', [id])
}

/** Adds the account unless there is any already; null when there is. */
export async function insertFirstAccount(
  db: Database,
  { email, name, passwordHash }: { email: string; name: string; passwordHash: string | null },
): Promise<Account | null> {
  return db.transaction(async (transaction) => {
    await lockAccounts(transaction)
    return findRow(transaction, onlyColumn(sessionSchema.shape.user), [email, name, passwordHash])`
      insert into account (email, name, role, password_hash)
      select $1, $2, 'admin', $3 where not exists (select from account)
      returning ${ACCOUNT}`
  })
}

/** Adds a one-time link for the oldest admin; false when there is none. */
export async function insertSignInLink(
  db: Database,
  tokenHash: Buffer,
  lifetimeSeconds: number,
): Promise<boolean> {
  await db.query('delete from sign_in_link where expires_at < now()')
  return affectsRows(db, [tokenHash, lifetimeSeconds])`
    insert into sign_in_link (token_hash, account_id, expires_at)
    select $1, id, now() + make_interval(secs => $2) from account where role = 'admin' and disabled_at is null
     order by created_at limit 1 for share`
}

/** Adds a break-glass link for the admin of an address: whose it is; null where there is no such admin. */
export async function insertBreakGlassLink(
  db: Database,
  email: string,
  { tokenHash, lifetimeSeconds }: { tokenHash: Buffer; lifetimeSeconds: number },
): Promise<string | null> {
  return findRow(db, onlyColumn(z.string()), [tokenHash, lifetimeSeconds, email])`
    insert into sign_in_link (token_hash, account_id, expires_at, is_break_glass)
    select $1, id, now() + make_interval(secs => $2), true from account
     where email = $3 and role = 'admin' and disabled_at is null
       for share
    returning account_id as id`
}

/** Null for a token of no link. Asking does not spend it. */
export async function findSignInLink(
  db: Database,
  tokenHash: Buffer,
): Promise<{ isBreakGlass: boolean } | null> {
  return findRow(db, z.object({ isBreakGlass: z.boolean() }), [tokenHash])`
    select is_break_glass as "isBreakGlass" from sign_in_link where token_hash = $1`
}

/** The account whose password a link may set. Asking does not spend it. */
export async function findPasswordLink(db: Database, tokenHash: Buffer): Promise<Account | null> {
  return findRow(db, onlyColumn(sessionSchema.shape.user), [tokenHash])`
    select ${ACCOUNT} from account join password_link on account_id = account.id
     where token_hash = $1 and expires_at > now() and disabled_at is null`
}

/** Sets the password and spends the link: the account's id, or null when the link has become void just now. */
export async function spendPasswordLink(
  db: Database,
  tokenHash: Buffer,
  passwordHash: string,
): Promise<string | null> {
  return findRow(db, onlyColumn(z.string()), [tokenHash, passwordHash])`
    with owner as (
      select account.id from account join password_link on account_id = account.id
       where token_hash = $1 and expires_at > now() and disabled_at is null
         for no key update of account),
    link as (
      delete from password_link using owner where token_hash = $1 and account_id = owner.id returning account_id)
    update account set password_hash = $2 from link where id = link.account_id returning id`
}

export async function readPasswordHash(db: Database, id: string): Promise<string | null> {
  return readRow(db, onlyColumn(z.nullable(z.string())), [id])`
    select password_hash as hash from account where id = $1`
}

/** False where the password is not the one that was verified any more. */
export async function updatePasswordHash(
  db: Database,
  id: string,
  { verified, next }: { verified: string; next: string },
): Promise<boolean> {
  return affectsRows(db, [id, verified, next])`
    update account set password_hash = $3 where id = $1 and password_hash = $2`
}

/** Whatever lets an account in without a password is void. */
export async function deleteLinksOf(db: Database, accountId: string): Promise<void> {
  await db.query('delete from password_link where account_id = $1', [accountId])
  await db.query('delete from sign_in_link where account_id = $1', [accountId])
}
