import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import type { Database } from './database.ts'
import type { Channel } from './listen.ts'
import { affectsRows, execute, readRow, readRows } from './read-rows.ts'

type Migration = { version: number; name: string; file: URL }
type AppliedMigration = {
  /** The SHA-256 of the file; null for migrations applied before checksums were recorded. */
  checksum: string | null
  /** A Lantern that does not know this migration can go on if it knows that one; null means that none can. */
  goesWith: number | null
}
/** Applied migrations by number. */
type Applied = ReadonlyMap<number, AppliedMigration>

/** One folder, or several whose files are numbered together. */
export type MigrationFolders = URL | readonly URL[]

const SCHEMA_CHANGED_CHANNEL = 'lantern_schema_changed'
/** A migration states by this line which older Lanterns can go on. */
const GOES_WITH = /^-- Goes with Lanterns that know (\d{4})\.$/m
const FILE_NAME = /^(?<version>\d{4})-[a-z0-9-]+\.sql$/
/** Any number will do, as long as every Lantern takes the same one. */
const LOCK = 7_276_391

const rightsSchema = z.object({ isSuperuser: z.boolean(), mayMigrate: z.boolean() })
const appliedSchema = z.object({
  version: z.int(),
  checksum: z.nullable(z.string()),
  goesWith: z.nullable(z.int()),
})
const LATER_COLUMNS = { checksum: 'text', goes_with: 'integer' } as const

/**
 * Brings the schema up to the newest file of the folders: all of it, or nothing. Forward only. Then, each time, runs the
 * file that says who may do what: roles come when an operator makes them, not when a migration does.
 */
export async function migrate(db: Database, folders: MigrationFolders, rights?: URL): Promise<void> {
  await db.transaction(async (tx) => {
    await applyMigrations(tx, await listMigrations(folders))
    if (rights) await tx.query(await readFile(rights, 'utf8'))
  })
}

/** Brings an empty schema to where another one stood, which had these migrations and no other. */
export async function migrateLike(
  tx: Database,
  folders: MigrationFolders,
  versions: readonly number[],
): Promise<void> {
  const migrations = await listMigrations(folders)
  await applyMigrations(
    tx,
    migrations.filter(({ version }) => versions.includes(version)),
  )
}

/** Nobody else migrates until the end of the transaction. */
export async function holdSchema(tx: Database): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [LOCK])
}

async function applyMigrations(tx: Database, migrations: readonly Migration[]): Promise<void> {
  await holdSchema(tx)
  await execute(tx)`
    create table if not exists schema_migration (
      version integer primary key,
      name text not null,
      applied_at timestamptz not null default now(),
      checksum text,
      goes_with integer
    )`
  await addColumns(tx)
  const applied = await listApplied(tx)

  refuseNewerSchema(applied, migrations)
  await refuseOtherText(applied, migrations)
  for (const migration of migrations) {
    const known = applied.get(migration.version)
    if (known === undefined) await apply(tx, migration)
    else if (known.checksum === null) await keepChecksum(tx, migration)
  }
  if (migrations.some(({ version }) => !applied.has(version)))
    await tx.query(`notify ${SCHEMA_CHANGED_CHANNEL}`)
}

/** Notifies a running Lantern once it cannot go on with the schema. */
export function schemaChannel(
  db: Database,
  folders: MigrationFolders,
  onOutgrown: (error: Error) => void,
): Channel {
  const check = async () => {
    // A database that is away sends a notice when it is back.
    const applied = await readApplied(db).catch(() => null)
    const line = applied && describeOutgrown(applied, await listMigrations(folders))
    if (line !== null) onOutgrown(new Error(line))
  }
  return { name: SCHEMA_CHANGED_CHANNEL, onNotice: check, onHearing: check }
}

/** Refuses a schema of another version and names the command that migrates, for connections that may not. */
export async function requireMigrated(
  db: Database,
  folders: MigrationFolders,
  command: string,
): Promise<void> {
  const migrations = await listMigrations(folders)
  const applied = await readApplied(db)
  refuseNewerSchema(applied, migrations)
  await refuseOtherText(applied, migrations)
  const missing = migrations.find(({ version }) => !applied.has(version))
  if (!missing) return
  throw new Error(
    `The database lacks ${missing.name}, and DATABASE_URL may not change it: ` +
      `run \`${command}\` with DATABASE_OWNER_URL, then start again`,
  )
}

/** None, where there is no schema yet, or none that we may see. */
export async function readApplied(db: Database): Promise<Applied> {
  const isVisible = await affectsRows(db)`
    select where has_table_privilege(to_regclass('schema_migration')::oid, 'select')`
  return isVisible ? listApplied(db) : new Map()
}

/** The rights of a connection beyond reading and writing rows. */
export type Rights = { isSuperuser: boolean; mayMigrate: boolean }

export async function readRights(db: Database): Promise<Rights> {
  return readRow(db, rightsSchema)`
    select rolsuper as "isSuperuser",
           coalesce(
             (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('schema_migration')),
             has_schema_privilege(current_schema(), 'create')) as "mayMigrate"
      from pg_roles where rolname = current_user`
}

/** The migrations of all folders, oldest first; a room without any has none. */
export async function listMigrations(folders: MigrationFolders): Promise<Migration[]> {
  const lists = await Promise.all([folders].flat().map(listFolder))
  const migrations = lists.flat().sort((one, other) => one.version - other.version)
  const twice = migrations.find(({ version }, at) => migrations[at + 1]?.version === version)
  if (twice) throw new Error(`Two migrations share a number: ${twice.version} (${twice.file.pathname})`)
  return migrations
}

async function listFolder(folder: URL): Promise<Migration[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names
    .filter((name) => name.endsWith('.sql'))
    .map((name) => ({ version: versionOf(name), name, file: new URL(name, asFolder(folder)) }))
}

async function apply(tx: Database, { version, name, file }: Migration): Promise<void> {
  const sql = await readFile(file, 'utf8')
  try {
    await tx.query(sql)
  } catch (error) {
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  }
  await execute(tx, [version, name, checksumOf(sql), goesWithOf(sql)])`
    insert into schema_migration (version, name, checksum, goes_with) values ($1, $2, $3, $4)`
}

/** Only where they are missing: it would wait for everybody who reads the table. */
async function addColumns(tx: Database): Promise<void> {
  for (const [name, type] of Object.entries(LATER_COLUMNS)) {
    const isThere = await affectsRows(tx, [name])`
      select from pg_attribute where attrelid = 'schema_migration'::regclass and attname = $1`
    if (!isThere) await tx.query(`alter table schema_migration add column ${name} ${type}`)
  }
}

async function keepChecksum(tx: Database, { version, file }: Migration): Promise<void> {
  const sql = await readFile(file, 'utf8')
  await execute(tx, [version, checksumOf(sql), goesWithOf(sql)])`
    update schema_migration set checksum = $2, goes_with = $3 where version = $1`
}

function goesWithOf(sql: string): number | null {
  const [, version] = GOES_WITH.exec(sql) ?? []
  return version === undefined ? null : Number(version)
}

/** A file that was changed after it was applied says nothing of the schema that is there. */
async function refuseOtherText(applied: Applied, migrations: readonly Migration[]): Promise<void> {
  for (const { version, name, file } of migrations) {
    const checksum = applied.get(version)?.checksum ?? null
    if (checksum === null || checksum === checksumOf(await readFile(file, 'utf8'))) continue
    throw new Error(
      `The migration ${name} is another one than the database was migrated by: its file has changed since. Install this version of Lantern anew, or run the one that migrated it`,
    )
  }
}

/** The checksum is the same on systems with other line endings. */
function checksumOf(sql: string): string {
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex')
}

/** A column that the table of an earlier version lacks is null. */
async function listApplied(db: Database): Promise<Applied> {
  const rows = await readRows(db, appliedSchema)`
    select version, to_jsonb(applied) ->> 'checksum' as checksum, (to_jsonb(applied) ->> 'goes_with')::integer as "goesWith"
      from schema_migration as applied`
  return new Map(rows.map(({ version, ...applied }) => [version, applied]))
}

function refuseNewerSchema(applied: Applied, migrations: readonly Migration[]): void {
  const line = describeOutgrown(applied, migrations)
  if (line !== null) throw new Error(line)
}

/** Describes why a process that knows these migrations cannot go on; null if all others allow it. */
function describeOutgrown(applied: Applied, migrations: readonly Migration[]): string | null {
  const known = new Set(migrations.map((migration) => migration.version))
  const unknown = [...applied].filter(
    ([version, { goesWith }]) => !known.has(version) && (goesWith === null || !known.has(goesWith)),
  )
  if (unknown.length === 0) return null
  const newest = Math.max(...unknown.map(([version]) => version))
  return `The database was migrated by a newer Lantern (it has migration ${newest}), beside which this version cannot run: replace it by that one`
}

function versionOf(name: string): number {
  const version = FILE_NAME.exec(name)?.groups?.version
  if (!version) throw new Error(`A migration is named 0001-like-this.sql, not ${name}`)
  return Number(version)
}

function asFolder(folder: URL): URL {
  return folder.href.endsWith('/') ? folder : new URL(`${folder.href}/`)
}
