import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { listMigrations, type MigrationFolders, migrate, migrateLike } from '#database/migrate.ts'
import { readRows } from '#database/read-rows.ts'
import { BackupError } from './backup-error.ts'
import { type BackupAccess, readBackupFile } from './backup-file.ts'
import {
  type BackupPart,
  type DatabaseName,
  isSameChecksum,
  type RowBatch,
  readParts,
  type Sequence,
} from './backup-parts.ts'
import { hashTable, listSequences, listTables, OWN, quote, settleTexts, type Table } from './table-catalog.ts'
import type { TableChecksum } from './table-checksum.ts'

/** The facts of a whole file. */
export type BackupFacts = {
  isSealed: boolean
  lantern: string
  commit?: string | undefined
  createdAt: string
  hasThreats: boolean
  databases: { name: DatabaseName; rows: number }[]
  /** Empty for a file that is not sealed, whatever it holds. */
  secrets: Readonly<Record<string, string>>
  /** The secrets of a file that is not sealed were left out. */
  hasIgnoredSecrets: boolean
}

export type Schemas = Readonly<Record<DatabaseName, Schema>>

type FileContents = Omit<BackupFacts, 'isSealed' | 'hasIgnoredSecrets'>

/** Reads a file to its end, so that nothing is begun with one that cannot be finished. */
export async function checkBackup(
  file: string,
  access: BackupAccess,
  schemas: Schemas,
): Promise<BackupFacts> {
  const read: { contents: FileContents | null } = { contents: null }
  const { isSealed } = await readBackupFile(file, access, async (text) => {
    for await (const part of readParts(text)) {
      if (part.part === 'backup') read.contents = { ...part, databases: [], secrets: {} }
      else read.contents = await addTo(read.contents, part, file, schemas)
    }
  })
  const { contents } = read
  if (!contents) throw new BackupError(`${file} is no backup of Lantern’s`)
  if (contents.databases.length === 0)
    throw new BackupError(`${file} holds no database, so there is nothing to restore: use another backup`)
  const hasIgnoredSecrets = !isSealed && Object.keys(contents.secrets).length > 0
  return { ...contents, isSealed, secrets: isSealed ? contents.secrets : {}, hasIgnoredSecrets }
}

async function addTo(
  facts: FileContents | null,
  part: BackupPart | RowBatch,
  file: string,
  schemas: Schemas,
): Promise<FileContents> {
  if (!facts) throw new BackupError(`${file} is no backup of Lantern’s`)
  if (part.part === 'database') {
    const known = (await listMigrations(schemas[part.name].migrations)).map(({ version }) => version)
    const unknown = part.migrations.find((version) => !known.includes(version))
    if (unknown !== undefined)
      throw new BackupError(
        `${file} was made by a newer Lantern (${facts.lantern}, with migration ${unknown} of the ${part.name}’s database): restore it with that one`,
      )
    facts.databases.push({ name: part.name, rows: 0 })
  }
  const current = facts.databases.at(-1)
  if (part.part === 'checksum' && current) current.rows += part.rows
  return part.part === 'secrets' ? { ...facts, secrets: part.secrets } : facts
}

/** Loads these databases, which are empty, each within a transaction of the caller's. Throws unless the file has each whole. */
export async function loadBackup(
  file: string,
  access: BackupAccess,
  targets: ReadonlyMap<DatabaseName, Database>,
  schemas: Schemas,
): Promise<void> {
  const missing = new Set(targets.keys())
  await readBackupFile(file, access, async (text) => {
    let name: DatabaseName | null = null
    let load: DatabaseLoad | null = null
    for await (const part of readParts(text)) {
      if (part.part === 'database') {
        name = part.name
        const tx = targets.get(name)
        load = tx ? await DatabaseLoad.begin(tx, schemas[name], part.migrations) : null
      }
      if (part.part === 'table') load?.openTable(part.name, part.columns)
      if (part.part === 'rows') await load?.insertRows(part.rows)
      if (part.part === 'checksum') load?.closeTable(part)
      if (part.part === 'sequences' && name) {
        await load?.finish(part.sequences, schemas[name])
        missing.delete(name)
      }
    }
  })
  const [first] = missing
  if (first !== undefined)
    throw new BackupError(`${file} lacks a part of the ${first}’s database: use another backup`)
}

/** A schema consists of migrations and rights. */
type Schema = { migrations: MigrationFolders; rights: URL | undefined }

const statementSchema = z.object({ take: z.string(), put: z.string() })

/** These objects slow a load down, or cannot hold before its end. Unique keys stay: a duplicate row fails. */
const TAKEN_AWAY = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as take,
         format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid))
           as put
    from pg_constraint join pg_class on pg_class.oid = conrelid
   where contype = 'f' and ${OWN}
  union all
  select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
    from pg_index join pg_class on pg_class.oid = indrelid
   where ${OWN} and not exists (select from pg_constraint where conindid = indexrelid)
  union all
  select format('alter table %s disable trigger user', oid::regclass),
         format('alter table %s enable trigger user', oid::regclass)
    from pg_class where relkind = 'r' and ${OWN}`

/** Loads one database of a backup into an empty schema, within a transaction. */
class DatabaseLoad {
  readonly #tx: Database
  readonly #tables: ReadonlyMap<string, Table>
  readonly #putBack: readonly string[]
  readonly #loaded: { table: string; columns: string[]; checksum: TableChecksum }[] = []
  #insert = ''
  #current: { table: string; columns: string[] } | null = null

  private constructor(tx: Database, tables: readonly Table[], putBack: readonly string[]) {
    this.#tx = tx
    this.#tables = new Map(tables.map((table) => [table.name, table]))
    this.#putBack = putBack
  }

  /** Makes the schema as it was in the backup, without any row. */
  static async begin(
    tx: Database,
    { migrations }: Schema,
    versions: readonly number[],
  ): Promise<DatabaseLoad> {
    await settleTexts(tx)
    await migrateLike(tx, migrations, versions)
    const statements = await readRows(tx, statementSchema)`${TAKEN_AWAY}`
    for (const { take } of statements) await tx.query(take)
    const tables = await listTables(tx)
    await tx.query(`truncate ${tables.map(({ name }) => quote(name)).join(', ')}`)
    return new DatabaseLoad(
      tx,
      tables,
      statements.map(({ put }) => put),
    )
  }

  /** Names of the file become SQL only where the schema has them. */
  openTable(name: string, columns: string[]): void {
    const table = this.#tables.get(name)
    const types = new Map(table?.columns.map((column) => [column.name, column.type]))
    // Its columns come with no migration: those that the backup's lacked are filled in by the last one.
    const isWhole = name === 'schema_migration' || columns.length === types.size
    if (!isWhole || columns.some((column) => !types.has(column)))
      throw new BackupError(`the table ${JSON.stringify(name)} is not as its schema has it`)
    const values = columns.map((column, at) => `(item ->> ${at})::${types.get(column)}`)
    this.#insert = `
      insert into ${quote(name)} (${columns.map(quote).join(', ')}) overriding system value
      select ${values.join(', ')} from jsonb_array_elements($1::text::jsonb) item`
    this.#current = { table: name, columns }
  }

  async insertRows(rows: readonly string[]): Promise<void> {
    await this.#tx.query(this.#insert, [`[${rows.join(',')}]`])
  }

  closeTable(checksum: TableChecksum): void {
    if (this.#current) this.#loaded.push({ ...this.#current, checksum })
    this.#current = null
  }

  /** Puts back what was taken away, compares each row with the file's, and brings the schema up to today's. */
  async finish(sequences: readonly Sequence[], { migrations, rights }: Schema): Promise<void> {
    for (const statement of this.#putBack) await this.#tx.query(statement)
    await this.#setSequences(sequences)
    if (new Set(this.#loaded.map(({ table }) => table)).size !== this.#tables.size)
      throw new BackupError('it lacks tables of its schema')
    for (const { table, columns, checksum } of this.#loaded) {
      if (!isSameChecksum(await hashTable(this.#tx, table, columns), checksum))
        throw new BackupError(`the rows of ${table} are others in this PostgreSQL than in the backup`)
      await this.#tx.query(`analyze ${quote(table)}`)
    }
    await migrate(this.#tx, migrations, rights).catch((cause: unknown) => {
      throw new BackupError(cause instanceof Error ? cause.message : String(cause), { cause })
    })
  }

  async #setSequences(sequences: readonly Sequence[]): Promise<void> {
    const known = await listSequences(this.#tx)
    for (const { name, last, isCalled } of sequences) {
      if (!known.includes(name))
        throw new BackupError(`the sequence ${JSON.stringify(name)} is not in its schema`)
      await this.#tx.query('select setval($1::regclass, $2::bigint, $3::boolean)', [
        quote(name),
        last,
        isCalled,
      ])
    }
  }
}
