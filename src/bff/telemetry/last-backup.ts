import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { affectsRows, execute, findRow, onlyColumn } from '#database/read-rows.ts'

/** Records that a backup was finished just now. Does nothing in a schema of before 0.3.0, which a backup leaves as it is. */
export async function recordBackup(db: Database): Promise<void> {
  if (!(await affectsRows(db)`select where to_regclass('last_backup') is not null`)) return
  await execute(db)`
    insert into last_backup (finished_at) values (clock_timestamp())
    on conflict (is_single) do update set finished_at = excluded.finished_at`
}

/** Returns when the last backup was finished, in seconds since the epoch; 0 before the first. */
export async function readLastBackup(db: Database): Promise<number> {
  const seconds = await findRow(db, onlyColumn(z.number()))`
    select extract(epoch from finished_at)::double precision as seconds from last_backup`
  return seconds ?? 0
}
