import { prepareDataDir } from '#database/embedded/data-dir.ts'
import { joinEmbedded } from '#database/embedded/start-embedded.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import type { Settings } from '#settings.ts'
import { openMigrated } from './open-migrated.ts'

/** A person can fix it, and needs no stack for that. */
export class UnopenedError extends Error {}

/**
 * The service's database, for a command: that of SERVICE_DATABASE_URL, else that of the Lantern which runs on DATA_DIR,
 * else the same one, started until it is closed. Its schema is up to date; its statements may take any time.
 * Throws an UnopenedError that says why it cannot be opened.
 */
export async function openServiceDatabase(
  settings: Pick<Settings, 'dataDir' | 'service'>,
): Promise<OpenDatabase> {
  return open(settings).catch(throwReadable)
}

async function open({ dataDir, service }: Pick<Settings, 'dataDir' | 'service'>): Promise<OpenDatabase> {
  if (service.databaseUrl) return openForCommand(service.databaseUrl)
  const embedded = await joinEmbedded(await prepareDataDir(dataDir))
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

function throwReadable(error: unknown): never {
  // One for each address of a host name.
  const [cause = error] = error instanceof AggregateError ? error.errors : []
  const [reason] = (cause instanceof Error ? cause.message : String(cause)).split('\n', 1)
  throw new UnopenedError(`The service's database cannot be opened: ${reason}`)
}

function openForCommand(url: string): Promise<OpenDatabase> {
  return openMigrated('service', url, { statementTimeoutMs: 0 })
}
