import { hostname } from 'node:os'
import { orDatabaseFault } from '#database/database-fault.ts'
import { migrate, type Rights, readRights, requireMigrated } from '#database/migrate.ts'
import { type OpenDatabase, type OpenDatabaseOptions, openDatabase } from '#database/open-database.ts'
import { nameCommand } from './name-command.ts'

type Room = 'service' | 'bff'

/** PostgreSQL cuts a connection's name at 63 characters, and its end names the part. */
const HOST_NAME_MAX_LENGTH = 40
const SETTINGS = { service: 'SERVICE_DATABASE_URL', bff: 'DATABASE_URL' } as const

/** The address of the dashboard's database for the serving role, and for the migrating role if that is another. */
export type BffAddress = { url: string; ownerUrl?: string | undefined }

type OpenOptions = {
  statementTimeoutMs?: OpenDatabaseOptions['statementTimeoutMs']
  /** The part of Lantern; the room by default. */
  part?: string
}

/** Returns the name of connections in `pg_stat_activity`. */
function nameConnections(part: string): string {
  return `lantern ${hostname().slice(0, HOST_NAME_MAX_LENGTH)} ${part}`
}

/** Opens a room's database with its schema up to date. */
export async function openMigrated(
  room: Room,
  url: string,
  { part = room, ...options }: OpenOptions = {},
): Promise<OpenDatabase> {
  await migrateRoom(room, url)
  const applicationName = nameConnections(part)
  return orDatabaseFault({ url, setting: SETTINGS[room] }, () =>
    openDatabase({ url, applicationName, ...options }),
  )
}

/** Opens the dashboard's database, migrated by the owner if there is one; otherwise its schema must be of this version. */
export async function openBffDatabase(
  { url, ownerUrl }: BffAddress,
  { part = 'bff', ...options }: OpenOptions = {},
): Promise<{ database: OpenDatabase; rights: Rights }> {
  if (ownerUrl) await migrateRoom('bff', ownerUrl, 'DATABASE_OWNER_URL')
  return orDatabaseFault({ url, setting: SETTINGS.bff }, async () => {
    // The index in memory answers what has rare and common values; the database is read by keys.
    const database = await openDatabase({
      url,
      applicationName: nameConnections(part),
      hasSharedPlans: true,
      ...options,
    })
    try {
      const rights = await readRights(database)
      if (!ownerUrl && rights.mayMigrate) await migrateRoom('bff', url)
      if (!rights.mayMigrate)
        await requireMigrated(database, schemaOf('bff').migrations, nameCommand('migrate'))
      return { database, rights }
    } catch (error) {
      await database.close()
      throw error
    }
  })
}

/** Opens it as whoever may prune the audit record; undefined where none of these may. */
export function openerOfOwner(
  { url, ownerUrl }: BffAddress,
  { mayMigrate }: Rights,
): (() => Promise<OpenDatabase>) | undefined {
  const owners = ownerUrl ?? (mayMigrate ? url : undefined)
  const applicationName = nameConnections('retention')
  return owners === undefined ? undefined : () => openDatabase({ url: owners, applicationName, max: 1 })
}

/** On a connection of its own: a migration, and the wait for that of another process, may take any time. */
export async function migrateRoom(room: Room, url: string, setting: string = SETTINGS[room]): Promise<void> {
  const applicationName = nameConnections('migration')
  await orDatabaseFault({ url, setting }, async () => {
    const migrating = await openDatabase({ url, applicationName, max: 1, statementTimeoutMs: 0 })
    try {
      const { migrations, rights } = schemaOf(room)
      await migrate(migrating, migrations, rights)
    } finally {
      await migrating.close()
    }
  })
}

/** Returns a room's migrations and rights. */
export function schemaOf(room: Room): { migrations: readonly URL[]; rights: URL | undefined } {
  return {
    // Each room has its own delivery tables.
    migrations: [room, 'delivery'].map((name) => new URL(`../${name}/migrations/`, import.meta.url)),
    rights: room === 'bff' ? new URL('../bff/rights.sql', import.meta.url) : undefined,
  }
}
