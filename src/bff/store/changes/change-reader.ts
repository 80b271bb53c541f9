import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { type ChangePage, readChanges } from './change-log.ts'

/**
 * The changes that follow those that a reader has read before; one that is new begins at the end of the log. Its cursor
 * moves on in the caller's transaction: a rollback, or the end of the process, gives it the same page again. Other
 * processes wait for that transaction, so that no two work on the same page.
 */
export async function readOn(tx: Database, reader: string, limit: number): Promise<ChangePage> {
  await tx.query(
    `insert into change_reader (name, cursor) select $1, last from threat_change_counter
     on conflict (name) do nothing`,
    [reader],
  )
  const { rows } = await tx.query('select cursor from change_reader where name = $1 for update', [reader])
  const { cursor } = z.object({ cursor: z.int() }).parse(rows[0])
  const page = await readChanges(tx, { after: cursor, limit })
  await tx.query('update change_reader set cursor = $2 where name = $1', [reader, page.next])
  return page
}
