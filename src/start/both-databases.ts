import { BackupError } from '#backup/backup-error.ts'
import type { DatabaseName } from '#backup/backup-parts.ts'
import { prepareDataDir } from '#database/embedded/data-dir.ts'
import { type EmbeddedPostgres, joinEmbedded, startEmbedded } from '#database/embedded/start-embedded.ts'
import { isDatabaseAway } from '#database/is-database-away.ts'
import { readRights } from '#database/migrate.ts'
import { type OpenDatabase, openDatabase } from '#database/open-database.ts'
import type { Settings } from '#settings/settings.ts'
import { UnopenedError } from './command-database.ts'
import { startAll } from './start-all.ts'

export type BothDatabases = {
  dataDir: string
  /** The dashboard's and the service's, by whoever owns them; without the service's where nothing here would use it. */
  databases: ReadonlyMap<DatabaseName, OpenDatabase>
  close(): Promise<void>
}

const LACKS_RIGHTS = {
  dashboard: 'DATABASE_URL may not make the schema: set DATABASE_OWNER_URL, too',
  service: 'SERVICE_DATABASE_URL may not make the schema: set it to the role that owns the database',
} as const

/** Opens both databases without migrating. `alone` takes the embedded ones away from a running Lantern, or fails. */
export async function openBoth(settings: Settings, how: 'beside' | 'alone'): Promise<BothDatabases> {
  try {
    const { started, close } = await startAll(async (closers) => {
      const dataDir = await prepareDataDir(settings.dataDir)
      let embedded: EmbeddedPostgres | null = null
      const urlOf = async (role: 'lantern_owner' | 'lantern_service') => {
        if (!embedded) {
          embedded = await (how === 'alone'
            ? startEmbedded(dataDir, { isCommand: true })
            : joinEmbedded(dataDir))
          closers.add(embedded.stop)
        }
        return embedded.url(role)
      }
      const dashboard = settings.databaseOwnerUrl ?? settings.databaseUrl
      const isServiceUsed = settings.upstream === undefined || dashboard === undefined
      const urls: [DatabaseName, string][] = [['dashboard', dashboard ?? (await urlOf('lantern_owner'))]]
      const service = settings.service.databaseUrl ?? (isServiceUsed ? await urlOf('lantern_service') : null)
      if (service !== null) urls.push(['service', service])

      const databases = new Map<DatabaseName, OpenDatabase>()
      for (const [name, url] of urls) {
        const database = await openDatabase({ url, max: 1, statementTimeoutMs: 0 })
        closers.add(database.close)
        databases.set(name, database)
        if (how === 'alone' && !(await readRights(database)).mayMigrate) throw new Error(LACKS_RIGHTS[name])
      }
      return { dataDir, databases }
    })
    return { ...started, close }
  } catch (error) {
    const [cause = error] = error instanceof AggregateError ? error.errors : []
    throw new UnopenedError(cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause))
  }
}

/** Rethrows an error of PostgreSQL with its own words, for the operator; any other failure is a fault of ours. */
export function throwReadable(error: unknown): never {
  const isReadable = error instanceof Error && ('severity' in error || isDatabaseAway(error))
  throw isReadable ? new BackupError(`PostgreSQL: ${error.message}`) : error
}
