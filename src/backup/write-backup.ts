import type { Database } from '#database/database.ts'
import { BackupError } from './backup-error.ts'
import { writeBackupFile } from './backup-file.ts'
import { type DatabaseName, toLine } from './backup-parts.ts'
import { dumpDatabase, takeSnapshot } from './dump-database.ts'

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

/** The stored threats, and answers of the vendor. Not what the source has no more, which nobody could read again. */
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
