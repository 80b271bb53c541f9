import { startEmbedded } from '#database/embedded/start-embedded.ts'
import type { Settings } from '#settings.ts'
import type { Closers } from './start-all.ts'

export type ChosenDatabases = {
  bff: string
  /** Empty where a vendor takes the service's place. */
  service: string
  /** Where the embedded PostgreSQL keeps its data; null where it is not needed. */
  embeddedFolder: string | null
}

type Where = { dataDir: string; closers: Closers }

/** The embedded PostgreSQL is started for whichever of the two has no address of its own. */
export async function chooseDatabases(settings: Settings, where: Where): Promise<ChosenDatabases> {
  const bff = settings.databaseUrl
  const service = settings.upstream ? '' : settings.service.databaseUrl
  if (bff !== undefined && service !== undefined) return { bff, service, embeddedFolder: null }

  const embedded = await startEmbedded(where.dataDir)
  where.closers.add(embedded.stop)
  return {
    bff: bff ?? embedded.url('lantern_bff'),
    service: service ?? embedded.url('lantern_service'),
    embeddedFolder: embedded.folder,
  }
}

/** The same for a service that runs alone. */
export async function chooseServiceDatabase({ service }: Settings, where: Where): Promise<string> {
  if (service.databaseUrl !== undefined) return service.databaseUrl
  const embedded = await startEmbedded(where.dataDir)
  where.closers.add(embedded.stop)
  return embedded.url('lantern_service')
}
