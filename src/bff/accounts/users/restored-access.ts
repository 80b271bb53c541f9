import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { readRow, readRows } from '#database/read-rows.ts'

const countSchema = z.object({ count: z.int() })
const idsSchema = z.array(z.object({ id: z.string() }))
const accountSchema = z.object({ id: z.string(), email: z.string(), role: z.string() })

/** Counts what a restore has ended. */
export type EndedAccess = { sessions: number; signIns: number; links: number; feeds: number }
export type EnabledAccount = z.infer<typeof accountSchema>

/** The ids of the accounts that may sign in; null where the database has no account, or is older than disabling. */
export async function listEnabledIds(tx: Database): Promise<ReadonlySet<string> | null> {
  const row = await readRow(tx, countSchema)`
    select count(*)::int as count from information_schema.columns
     where table_schema = current_schema() and table_name = 'account' and column_name in ('id', 'disabled_at')`
  if (row.count < 2) return null
  const accounts = await tx.query('select count(*)::int as count from account')
  if (countSchema.parse(accounts.rows[0]).count === 0) return null
  const enabled = await tx.query('select id from account where disabled_at is null')
  return new Set(idsSchema.parse(enabled.rows).map(({ id }) => id))
}

/** The accounts that may sign in, by their address. */
export async function listEnabled(tx: Database): Promise<EnabledAccount[]> {
  return readRows(tx, accountSchema)`
    select id, email, role from account where disabled_at is null order by email`
}

/** Ends whatever lets somebody in without their password or their provider: it may have ended after the backup was made. */
export async function endAccess(tx: Database): Promise<EndedAccess> {
  const change = async (text: string) => (await tx.query(text)).rowCount
  // A page that repeats a write is not answered from before the restore.
  await tx.query('delete from idempotency_key')
  return {
    sessions: await change('delete from session'),
    signIns: await change('delete from sign_in_step'),
    links: (await change('delete from password_link')) + (await change('delete from sign_in_link')),
    feeds: await change('update saved_view set feed_token_hash = null where feed_token_hash is not null'),
  }
}
