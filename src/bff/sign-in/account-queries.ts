import * as z from 'zod/mini'
import { type Session, sessionSchema } from '#contract/bff/session.ts'
import type { Database } from '#database/database.ts'

export type Account = Session['user']

const accountRowSchema = z.object({ account: sessionSchema.shape.user })
/** An account as a sign-in sees it. */
const candidateSchema = z.extend(accountRowSchema, {
  passwordHash: z.nullable(z.string()),
  isKnownDevice: z.boolean(),
  isKnownAddress: z.boolean(),
})
export type Candidate = z.infer<typeof candidateSchema>

const ACCOUNT = `
  json_build_object('id', account.id, 'email', email, 'name', name, 'role', role) as account`
const KNOWN = `
  select from known_device where account_id = account.id and signed_in_at > now() - interval '90 days'`

export async function findCandidate(
  db: Database,
  { email, deviceHash, address }: { email: string; deviceHash: Buffer | null; address: string },
): Promise<Candidate | null> {
  const { rows } = await db.query(
    `select ${ACCOUNT}, password_hash as "passwordHash",
            exists (${KNOWN} and token_hash = $2) as "isKnownDevice",
            exists (${KNOWN} and address = $3) as "isKnownAddress"
       from account
      where email = $1`,
    [email, deviceHash, address],
  )
  return rows.length > 0 ? candidateSchema.parse(rows[0]) : null
}

/** Remembers where an account has signed in, under the device's own token. */
export async function rememberDevice(
  db: Database,
  { accountId, deviceHash, address }: { accountId: string; deviceHash: Buffer; address: string },
): Promise<void> {
  await db.query(`delete from known_device where signed_in_at < now() - interval '90 days'`)
  await db.query(
    `insert into known_device (token_hash, account_id, address) values ($1, $2, $3)
     on conflict (token_hash) do update
       set account_id = excluded.account_id, address = excluded.address, signed_in_at = now()`,
    [deviceHash, accountId, address],
  )
}

export async function forgetDevices(db: Database, accountId: string): Promise<void> {
  await db.query('delete from known_device where account_id = $1', [accountId])
}

/** Adds the account unless there is any already; null when there is. */
export async function insertFirstAccount(
  db: Database,
  { email, name, passwordHash }: { email: string; name: string; passwordHash: string },
): Promise<Account | null> {
  return db.transaction(async (transaction) => {
    await transaction.query('lock table account in share row exclusive mode')
    const { rows } = await transaction.query(
      `insert into account (email, name, role, password_hash)
       select $1, $2, 'admin', $3 where not exists (select from account)
       returning ${ACCOUNT}`,
      [email, name, passwordHash],
    )
    return rows.length > 0 ? accountRowSchema.parse(rows[0]).account : null
  })
}

/** Adds a one-time link for the oldest admin; false when there is none. */
export async function insertSignInLink(
  db: Database,
  tokenHash: Buffer,
  lifetimeSeconds: number,
): Promise<boolean> {
  await db.query('delete from sign_in_link where expires_at < now()')
  const { rowCount } = await db.query(
    `insert into sign_in_link (token_hash, account_id, expires_at)
     select $1, id, now() + make_interval(secs => $2) from account where role = 'admin' order by created_at limit 1`,
    [tokenHash, lifetimeSeconds],
  )
  return rowCount > 0
}

/** The account that a link signs in. The link is spent by asking. */
export async function spendSignInLink(db: Database, tokenHash: Buffer): Promise<Account | null> {
  const { rows } = await db.query(
    `with link as (delete from sign_in_link where token_hash = $1 returning account_id, expires_at)
     select ${ACCOUNT} from account join link on link.account_id = account.id where link.expires_at > now()`,
    [tokenHash],
  )
  return rows.length > 0 ? accountRowSchema.parse(rows[0]).account : null
}
