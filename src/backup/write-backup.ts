import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { readApplied } from '#database/migrate.ts'
import { readRow } from '#database/read-rows.ts'
import { BackupError } from './backup-error.ts'
import { writeBackupFile } from './backup-file.ts'
import { type DatabaseName, type Sequence, toLine } from './backup-parts.ts'
import { listSequences, listTables, quote, readInBatches, settleTexts } from './table-catalog.ts'
import { TableHasher } from './table-checksum.ts'

export type BackupContents = {
  /** Those that there are. */
  databases: readonly { name: DatabaseName; database: Database }[]
  /** Keys are the file names in DATA_DIR. */
  secrets: Readonly<Record<string, string>>
  /** False leaves out what the sync reads again, at the cost of calls. */
  hasThreats: boolean
  /** The version of the code that writes it. */
  build: { version: string; commit: string }
}

/** The stored threats, and answers of the vendor. Not what the vendor has no more, which nobody could read again. */
const WINDOW_TABLE = /^(?:window_|stored_answer$)/

/** Writes all of it to a file, each database as it is at one moment. Answers the file's size in bytes. */
export function writeBackup(
  file: string,
  passphrase: string | null,
  { databases, secrets, hasThreats, build }: BackupContents,
): Promise<number> {
  return withSnapshots(databases, (snapshots) =>
    writeBackupFile(file, passphrase, async function* () {
      const createdAt = new Date().toISOString()
      const { version: lantern, commit } = build
      yield toLine({ part: 'backup', lantern, commit, createdAt, hasThreats })
      let isEmpty = true
      for (const { name, database } of snapshots) {
        const lines = dumpDatabase(database, name, (table) => !hasThreats && WINDOW_TABLE.test(table))
        for await (const line of lines) {
          isEmpty = false
          yield line
        }
      }
      if (isEmpty) throw new BackupError('There is nothing to back up: Lantern was never started here')
      yield toLine({ part: 'secrets', secrets })
      yield toLine({ part: 'end' })
    }),
  )
}

/** Opens one transaction within the other, so that both see nearly the same moment. */
function withSnapshots<T>(
  [first, ...others]: BackupContents['databases'],
  run: (snapshots: BackupContents['databases']) => Promise<T>,
): Promise<T> {
  if (!first) return run([])
  return first.database.transaction(async (tx) => {
    await takeSnapshot(tx)
    return withSnapshots(others, (snapshots) => run([{ name: first.name, database: tx }, ...snapshots]))
  })
}

const positionSchema = z.object({ last: z.string(), isCalled: z.boolean() })

/** All that follows in the transaction sees the database as it is now. */
async function takeSnapshot(tx: Database): Promise<void> {
  await tx.query('set transaction isolation level repeatable read, read only')
  await settleTexts(tx)
  await tx.query('select 1')
}

/** Yields the content of a database as lines of a backup; nothing if it has no schema yet. Runs within a snapshot. */
async function* dumpDatabase(
  tx: Database,
  name: DatabaseName,
  isLeftOut: (table: string) => boolean,
): AsyncGenerator<string> {
  const migrations = [...(await readApplied(tx)).keys()].sort((a, b) => a - b)
  if (migrations.length === 0) return
  yield toLine({ part: 'database', name, migrations })
  for (const table of await listTables(tx)) {
    const columns = table.columns.map((column) => column.name)
    yield toLine({ part: 'table', name: table.name, columns })
    const hasher = new TableHasher()
    if (!isLeftOut(table.name)) {
      for await (const rows of readInBatches(tx, table.name, columns)) {
        for (const row of rows) hasher.add(row)
        yield `${rows.join('\n')}\n`
      }
    }
    yield toLine({ part: 'checksum', ...hasher.checksum })
  }
  // Sequences know no snapshot. Read last, each is past what the rows have of it.
  yield toLine({ part: 'sequences', sequences: await readSequences(tx) })
}

async function readSequences(tx: Database): Promise<Sequence[]> {
  const sequences = []
  for (const name of await listSequences(tx)) {
    const position = await readRow(tx, positionSchema)`
      select last_value::text as last, is_called as "isCalled" from ${quote(name)}`
    sequences.push({ name, ...position })
  }
  return sequences
}
