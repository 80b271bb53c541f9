import { hostname } from 'node:os'
import { orDatabaseFault } from '#database/database-fault.ts'
import { migrate, type Rights, readRights, requireMigrated } from '#database/migrate.ts'
import { type OpenDatabase, type OpenDatabaseOptions, openDatabase } from '#database/open-database.ts'
import { nameCommand } from './name-command.ts'

type Room = 'service' | 'bff'

const SETTINGS = { service: 'SERVICE_DATABASE_URL', bff: 'DATABASE_URL' } as const

/** The address of the dashboard's database for the serving role, and for the migrating role if that is another. */
export type BffAddress = { url: string; ownerUrl?: string | undefined }

type OpenOptions = Pick<OpenDatabaseOptions, 'statementTimeoutMs'> & {
  /** The name of this machine in the database; its host name by default. */
  node?: string | undefined
  /** The part of Lantern; the room by default. */
  part?: string
}

/** Returns the name of connections in `pg_stat_activity`, which cuts it at 63 characters. */
function nameConnections(node: string = hostname(), part: string): string {
  return `lantern ${node} ${part}`
}

/** Opens a room's database with its schema up to date. */
export async function openMigrated(
  room: Room,
  url: string,
  { node, part = room, ...options }: OpenOptions = {},
): Promise<OpenDatabase> {
  await migrateRoom(room, url, { node })
  const applicationName = nameConnections(node, part)
  return orDatabaseFault({ url, setting: SETTINGS[room] }, () =>
    openDatabase({ url, applicationName, ...options }),
  )
}

/** Opens the dashboard's database, migrated by the owner if there is one; otherwise its schema must be of this version. */
export async function openBffDatabase(
  { url, ownerUrl }: BffAddress,
  { node, part = 'bff', ...options }: OpenOptions = {},
): Promise<{ database: OpenDatabase; rights: Rights }> {
  if (ownerUrl) await migrateRoom('bff', ownerUrl, { node, setting: 'DATABASE_OWNER_URL' })
  return orDatabaseFault({ url, setting: SETTINGS.bff }, async () => {
    const database = await openDatabase({ url, applicationName: nameConnections(node, part), ...options })
    try {
      const rights = await readRights(database)
      if (!ownerUrl && rights.mayMigrate) await migrateRoom('bff', url, { node })
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
  { node }: { node?: string | undefined } = {},
): (() => Promise<OpenDatabase>) | undefined {
  const owners = ownerUrl ?? (mayMigrate ? url : undefined)
  const applicationName = nameConnections(node, 'retention')
  return owners === undefined ? undefined : () => openDatabase({ url: owners, applicationName, max: 1 })
}

/** On a connection of its own: a migration, and the wait for that of another process, may take any time. */
export async function migrateRoom(
  room: Room,
  url: string,
  { node, setting = SETTINGS[room] }: { node?: string | undefined; setting?: string } = {},
): Promise<void> {
  const applicationName = nameConnections(node, 'migration')
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
