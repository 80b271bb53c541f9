import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { holdSchema } from '#database/migrate.ts'
import { onlyColumn, readRow, readRows } from '#database/read-rows.ts'
import { BackupError } from './backup-error.ts'
import type { DatabaseName } from './backup-parts.ts'
import { listTables, OWN, quote } from './table-catalog.ts'

const countSchema = onlyColumn(z.number())

/** People would miss the rows of these tables, which messages call by these names. */
const MISSED = {
  account: 'accounts',
  saved_view: 'views',
  name_list: 'lists of names',
  triage_event: 'changes of triage',
  audit_record: 'audit records',
  threat: 'threats',
  api_key: 'API keys',
  alert_profile: 'alert profiles',
} as const

/** Describes the content of a database; null if nobody would miss it. From now on nobody else creates a schema in it. */
export async function describeContents(tx: Database, name: DatabaseName): Promise<string | null> {
  await holdSchema(tx)
  const tables = (await listTables(tx)).map(({ name }) => name)
  if (tables.length === 0) return null
  if (!tables.includes('schema_migration'))
    throw new BackupError(`The ${name}’s database holds tables of something else: name an empty one`)
  const words = []
  for (const [table, noun] of Object.entries(MISSED)) {
    if (!tables.includes(table)) continue
    const count = await readRow(tx, countSchema)`select count(*) from ${quote(table)}`
    if (count > 0) words.push(`${noun} ${count.toLocaleString('en')}`)
  }
  return words.join(', ') || null
}

/** Other connections would write into the replaced data, or wait for it. */
export async function refuseOthers(tx: Database, name: DatabaseName): Promise<void> {
  const count = await readRow(tx, countSchema)`
    select count(*) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and usename is not null`
  if (count > 0)
    throw new BackupError(
      `The ${name}’s database is in use (connections: ${count}): stop Lantern and whoever else uses it`,
    )
}

/** Takes away all that is in the schema, and leaves the schema. */
export async function emptySchema(tx: Database): Promise<void> {
  const drops = await readRows(tx, onlyColumn(z.string()))`
    select format('drop %s if exists %s cascade', case relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end,
                  oid::regclass) as drop
      from pg_class
     where relkind in ('v', 'r', 'S') and ${OWN}
       -- A sequence of a column goes with its table.
       and not exists (select from pg_depend where objid = pg_class.oid and relkind = 'S' and deptype in ('a', 'i'))
    union all
    select format('drop routine if exists %s cascade', oid::regprocedure)
      from pg_proc
     where pronamespace = current_schema()::regnamespace
       and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')`
  for (const drop of drops) await tx.query(drop)
}
