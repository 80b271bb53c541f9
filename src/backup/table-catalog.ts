import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { onlyColumn, readRows } from '#database/read-rows.ts'
import type { TableChecksum } from './table-checksum.ts'
import { TableHasher } from './table-checksum.ts'

export type Table = { name: string; columns: { name: string; type: string }[] }

const tableSchema = z.object({
  name: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
})

/** Selects the objects of the schema, except those of an extension. */
export const OWN = `
  relnamespace = current_schema()::regnamespace
  and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')`

const BATCH_CHARACTERS = 200_000
const BATCH_MAX_COUNT = 1_000
const FIRST_BATCH_COUNT = 20

/** Tables with the columns that are written, not computed. */
export async function listTables(db: Database): Promise<Table[]> {
  return readRows(db, tableSchema)`
    select relname as name,
           (select coalesce(json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum), '[]')
              from pg_attribute
             where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
      from pg_class where relkind = 'r' and ${OWN} order by relname`
}

export async function listSequences(db: Database): Promise<string[]> {
  return readRows(db, onlyColumn(z.string()))`
    select relname as name from pg_class where relkind = 'S' and ${OWN} order by relname`
}

/** Each type has one text, which PostgreSQL reads again to the same value: by these settings, not by an operator's. */
export async function settleTexts(tx: Database): Promise<void> {
  await tx.query(`
    set local datestyle = 'ISO, YMD';
    set local intervalstyle = 'postgres';
    set local bytea_output = 'hex';
    set local extra_float_digits = 1;
    set local timezone = 'UTC';
    set local idle_in_transaction_session_timeout = 0;
    set local lock_timeout = 0`)
}

/** A table's rows, each a JSON array of its columns as texts, some at a time: by a cursor, as many as fit in memory. */
export async function* readInBatches(
  tx: Database,
  table: string,
  columns: readonly string[],
): AsyncGenerator<string[]> {
  const texts = columns.map((column) => `${quote(column)}::text`).join(', ')
  await tx.query(
    `declare backup_rows no scroll cursor for select json_build_array(${texts})::text as row from ${quote(table)}`,
  )
  for (let count = FIRST_BATCH_COUNT; ; ) {
    const batch = await readRows(tx, onlyColumn(z.string()))`fetch forward ${count} from backup_rows`
    if (batch.length === 0) break
    yield batch
    const mean = batch.reduce((sum, row) => sum + row.length, 0) / batch.length
    // Rows are of a kind: the next may be twice as many, should that still be little.
    count = Math.max(1, Math.min(count * 2, Math.floor(BATCH_CHARACTERS / mean), BATCH_MAX_COUNT))
  }
  await tx.query('close backup_rows')
}

export async function hashTable(
  tx: Database,
  table: string,
  columns: readonly string[],
): Promise<TableChecksum> {
  const hasher = new TableHasher()
  for await (const rows of readInBatches(tx, table, columns)) for (const row of rows) hasher.add(row)
  return hasher.checksum
}

/** An identifier of SQL. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
