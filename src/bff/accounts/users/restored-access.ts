import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { affectsRows, execute, onlyColumn, readRow, readRows } from '#database/read-rows.ts'

const countSchema = onlyColumn(z.int())
const accountSchema = z.object({ id: z.string(), email: z.string(), role: z.string() })

/** Counts what a restore has ended. */
export type EndedAccess = { sessions: number; signIns: number; links: number; feeds: number }
export type EnabledAccount = z.infer<typeof accountSchema>

/** The ids of the accounts that may sign in; null where the database has no account, or is older than disabling. */
export async function listEnabledIds(tx: Database): Promise<ReadonlySet<string> | null> {
  const columns = await readRow(tx, countSchema)`
    select count(*)::int from information_schema.columns
     where table_schema = current_schema() and table_name = 'account' and column_name in ('id', 'disabled_at')`
  if (columns < 2 || !(await affectsRows(tx)`select from account limit 1`)) return null
  return new Set(await readRows(tx, onlyColumn(z.string()))`select id from account where disabled_at is null`)
}

/** The accounts that may sign in, by their address. */
export async function listEnabled(tx: Database): Promise<EnabledAccount[]> {
  return readRows(tx, accountSchema)`
    select id, email, role from account where disabled_at is null order by email`
}

/** Ends whatever lets somebody in without their password or their provider: it may have ended after the backup was made. */
export async function endAccess(tx: Database): Promise<EndedAccess> {
  // A page that repeats a write is not answered from before the restore.
  await execute(tx)`delete from idempotency_key`
  return {
    sessions: await execute(tx)`delete from session`,
    signIns: await execute(tx)`delete from sign_in_step`,
    links: (await execute(tx)`delete from password_link`) + (await execute(tx)`delete from sign_in_link`),
    feeds: await execute(tx)`update saved_view set feed_token_hash = null where feed_token_hash is not null`,
  }
}
