import { migrate } from '#database/migrate.ts'
import { type OpenDatabase, type OpenDatabaseOptions, openDatabase } from '#database/open-database.ts'

/** Opens a room's database with its schema up to date. */
export async function openMigrated(
  room: 'service' | 'bff',
  url: string,
  options?: Omit<OpenDatabaseOptions, 'url'>,
): Promise<OpenDatabase> {
  const database = await openDatabase({ url, ...options })
  try {
    await migrate(database, new URL(`../${room}/migrations/`, import.meta.url))
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
