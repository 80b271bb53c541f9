import { joinEmbedded } from '#database/embedded/start-embedded.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import type { Settings } from '#settings.ts'
import { openMigrated } from './open-migrated.ts'

/**
 * The service's database, for a command: that of SERVICE_DATABASE_URL, else that of the Lantern which runs on DATA_DIR,
 * else the same one, started until it is closed. Its schema is up to date; its statements may take any time.
 */
export async function openServiceDatabase({
  dataDir,
  service,
}: Pick<Settings, 'dataDir' | 'service'>): Promise<OpenDatabase> {
  if (service.databaseUrl) return openForCommand(service.databaseUrl)
  const embedded = await joinEmbedded(dataDir)
  try {
    const database = await openForCommand(embedded.url('lantern_service'))
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

function openForCommand(url: string): Promise<OpenDatabase> {
  return openMigrated('service', url, { statementTimeoutMs: 0 })
}
