import { migrate } from '#database/migrate.ts'
import { type OpenDatabase, type OpenDatabaseOptions, openDatabase } from '#database/open-database.ts'

/** Opens a room's database with its schema up to date. */
export async function openMigrated(
  room: 'service' | 'bff',
  url: string,
  options?: Omit<OpenDatabaseOptions, 'url'>,
): Promise<OpenDatabase> {
  // On a connection of its own: a migration, and the wait for that of another process, may take any time.
  const migrating = await openDatabase({ url, max: 1, statementTimeoutMs: 0 })
  try {
    await migrate(migrating, new URL(`../${room}/migrations/`, import.meta.url))
  } finally {
    await migrating.close()
  }
  return openDatabase({ url, ...options })
}
