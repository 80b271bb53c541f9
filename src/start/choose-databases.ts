import { awaitDatabase } from '#database/await-database.ts'
import { startEmbedded } from '#database/embedded/start-embedded.ts'
import { type Settings, SettingsError } from '#settings/settings.ts'
import type { BffAddress } from './open-migrated.ts'
import type { Closers } from './start-all.ts'

export type ChosenDatabases = {
  bff: BffAddress
  /** Empty where a vendor takes the service's place. */
  service: string
  /** The embedded PostgreSQL keeps its data here; null if it is not needed. */
  embeddedFolder: string | null
  /** An operator should know this about the user that runs it. */
  embeddedNotice: string | null
}

type Where = { dataDir: string; closers: Closers }

/** The embedded PostgreSQL is started for whichever of the two has no address of its own; others are waited for. */
export async function chooseDatabases(settings: Settings, where: Where): Promise<ChosenDatabases> {
  const bff = addressOf(settings)
  const service = settings.upstream ? '' : settings.service.databaseUrl
  if (bff) await untilUsable('DATABASE_URL', bff.url)
  if (service) await untilUsable('SERVICE_DATABASE_URL', service)
  if (bff !== undefined && service !== undefined)
    return { bff, service, embeddedFolder: null, embeddedNotice: null }

  const embedded = await startEmbedded(where.dataDir)
  where.closers.add(embedded.stop)
  return {
    bff: bff ?? { url: embedded.url('lantern_runtime'), ownerUrl: embedded.url('lantern_owner') },
    service: service ?? embedded.url('lantern_service'),
    embeddedFolder: embedded.folder,
    embeddedNotice: embedded.notice,
  }
}

/** Returns the address of the dashboard's database; undefined for the embedded one. */
function addressOf({ databaseUrl: url, databaseOwnerUrl: ownerUrl }: Settings): BffAddress | undefined {
  if (ownerUrl && !url)
    throw new SettingsError(
      'DATABASE_URL must be set where DATABASE_OWNER_URL is: the owner migrates, and does not serve',
    )
  return url === undefined ? undefined : { url, ownerUrl }
}

/** Chooses the database of a service that runs alone. */
export async function chooseServiceDatabase({ service }: Settings, where: Where): Promise<string> {
  if (service.databaseUrl !== undefined) {
    await untilUsable('SERVICE_DATABASE_URL', service.databaseUrl)
    return service.databaseUrl
  }
  const embedded = await startEmbedded(where.dataDir)
  where.closers.add(embedded.stop)
  return embedded.url('lantern_service')
}

async function untilUsable(setting: string, url: string): Promise<void> {
  await awaitDatabase({ url, setting, say: (line) => console.log(line) })
}
