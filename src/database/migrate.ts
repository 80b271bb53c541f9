import { readdir, readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import type { Database } from './database.ts'

type Migration = { version: number; name: string; file: URL }

const FILE_NAME = /^(?<version>\d{4})-[a-z0-9-]+\.sql$/
/** Any number will do, as long as every Lantern takes the same one. */
const LOCK = 7_276_391

const appliedSchema = z.array(z.object({ version: z.int() }))

/** Brings the schema up to the newest file of the folder: all of it, or nothing. Forward only. */
export async function migrate(db: Database, folder: URL): Promise<void> {
  const migrations = await listMigrations(folder)
  await db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [LOCK])
    await tx.query(`
      create table if not exists schema_migration (
        version integer primary key,
        name text not null,
        applied_at timestamptz not null default now()
      )`)
    const { rows } = await tx.query('select version from schema_migration order by version')
    const applied = new Set(appliedSchema.parse(rows).map((row) => row.version))

    refuseNewerSchema(applied, migrations)
    for (const migration of migrations) {
      if (!applied.has(migration.version)) await apply(tx, migration)
    }
  })
}

/** The folder's migrations, oldest first; a room without any has none. */
export async function listMigrations(folder: URL): Promise<Migration[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const migrations = names
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ version: versionOf(name), name, file: new URL(name, asFolder(folder)) }))
  const versions = new Set(migrations.map((migration) => migration.version))
  if (versions.size < migrations.length)
    throw new Error(`Two migrations share a number in ${folder.pathname}`)
  return migrations
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
  await tx.query('insert into schema_migration (version, name) values ($1, $2)', [version, name])
}

function refuseNewerSchema(applied: Set<number>, migrations: Migration[]): void {
  const known = new Set(migrations.map((migration) => migration.version))
  const unknown = [...applied].filter((version) => !known.has(version))
  if (unknown.length === 0) return
  throw new Error(
    `The database was migrated by a newer Lantern (it has migration ${unknown.at(-1)}): run that one`,
  )
}

function versionOf(name: string): number {
  const version = FILE_NAME.exec(name)?.groups?.version
  if (!version) throw new Error(`A migration is named 0001-like-this.sql, not ${name}`)
  return Number(version)
}

function asFolder(folder: URL): URL {
  return folder.href.endsWith('/') ? folder : new URL(`${folder.href}/`)
}
