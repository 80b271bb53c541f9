import { joinEmbedded } from '#database/embedded/start-embedded.ts'
import { migrate } from '#database/migrate.ts'
import { type OpenDatabase, openDatabase } from '#database/open-database.ts'
import type { Settings } from '#settings.ts'

const MIGRATIONS = new URL('../service/migrations/', import.meta.url)

/**
 * The service's database, for a command: that of SERVICE_DATABASE_URL, else that of the Lantern which runs on DATA_DIR,
 * else the same one, started until it is closed. Its schema is up to date; its statements may take any time.
 */
export async function openServiceDatabase({ dataDir, service }: Settings): Promise<OpenDatabase> {
  if (service.databaseUrl) return openMigrated(service.databaseUrl)
  const embedded = await joinEmbedded(dataDir)
  try {
    const database = await openMigrated(embedded.url('lantern_service'))
    const close = async () => {
      await database.close()
      await embedded.stop()
    }
    return { ...database, close }
  } catch (error) {
    await embedded.stop()
    throw error
  }
}

async function openMigrated(url: string): Promise<OpenDatabase> {
  const database = await openDatabase({ url, statementTimeoutMs: 0 })
  try {
    await migrate(database, MIGRATIONS)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
