import { prepareDataDir } from '#database/embedded/data-dir.ts'
import { type EmbeddedPostgres, joinEmbedded } from '#database/embedded/start-embedded.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import type { Settings } from '#settings/settings.ts'
import { openBffDatabase, openMigrated } from './open-migrated.ts'

/** A person can fix it, and needs no stack for that. */
export class UnopenedError extends Error {}

/** Commands may take any time. */
const OPTIONS = { statementTimeoutMs: 0, part: 'command' }

/**
 * The service's database, for a command: that of SERVICE_DATABASE_URL, else that of the Lantern which runs on DATA_DIR,
 * else the same one, started until it is closed. Its schema is up to date; its statements may take any time.
 * Throws an UnopenedError that says why it cannot be opened.
 */
export async function openServiceDatabase({
  dataDir,
  service: { databaseUrl },
}: Settings): Promise<OpenDatabase> {
  const opening = databaseUrl
    ? openMigrated('service', databaseUrl, OPTIONS)
    : openEmbedded(dataDir, ({ url }) => openMigrated('service', url('lantern_service'), OPTIONS))
  return opening.catch(throwReadable("The service's"))
}

/** The dashboard's in the same way, as whoever serves or as whoever owns it. */
export async function openDashboardDatabase(
  { dataDir, databaseUrl, databaseOwnerUrl }: Settings,
  as: 'runtime' | 'owner',
): Promise<OpenDatabase> {
  const given = as === 'owner' ? (databaseOwnerUrl ?? databaseUrl) : (databaseUrl ?? databaseOwnerUrl)
  const open = async (url: string, ownerUrl?: string) => {
    const { database, rights } = await openBffDatabase({ url, ownerUrl }, OPTIONS)
    if (as === 'runtime' || rights.mayMigrate) return database
    await database.close()
    throw new Error('this takes its owner, by DATABASE_OWNER_URL')
  }
  const opening = given
    ? open(given)
    : openEmbedded(dataDir, ({ url }) => open(url(`lantern_${as}`), url('lantern_owner')))
  return opening.catch(throwReadable("The dashboard's"))
}

async function openEmbedded(
  dataDir: string | undefined,
  open: (embedded: EmbeddedPostgres) => Promise<OpenDatabase>,
): Promise<OpenDatabase> {
  const embedded = await joinEmbedded(await prepareDataDir(dataDir))
  try {
    const database = await open(embedded)
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

/** Rethrows the error of a database that cannot be opened, in one line. */
export function throwReadable(whose: string): (error: unknown) => never {
  return (error) => {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n', 1)
    throw new UnopenedError(`${whose} database cannot be opened: ${reason}`)
  }
}
