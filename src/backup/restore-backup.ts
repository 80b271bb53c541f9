import type { Database } from '#database/database.ts'
import { listMigrations } from '#database/migrate.ts'
import { BackupError } from './backup-error.ts'
import { type BackupAccess, readBackupFile } from './backup-file.ts'
import { type BackupPart, type DatabaseName, type RowBatch, readParts } from './backup-parts.ts'
import { DatabaseLoad, type Schema } from './load-database.ts'

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
