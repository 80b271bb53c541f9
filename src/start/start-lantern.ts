import { startBff } from '#bff/start.ts'
import type { OwnServiceKeys } from '#bff/vendor/keys/service-key-routes.ts'
import { prepareDataDir } from '#database/embedded/data-dir.ts'
import type { Settings } from '#settings.ts'
import { APP_FOLDER, buildAppIfNeeded } from './build-app.ts'
import { type ChosenDatabases, chooseDatabases } from './choose-databases.ts'
import { keepRoomSecrets } from './keep-room-secrets.ts'
import { keepServiceKey } from './keep-service-key.ts'
import { openMigrated } from './open-migrated.ts'
import { createOwnServiceKeys } from './own-service-keys.ts'
import { readFieldMapping } from './read-field-mapping.ts'
import { refuseTakenPort } from './refuse-taken-port.ts'
import type { Closers } from './start-all.ts'
import type { StartFacts } from './start-block.ts'
import { startOwnService } from './start-own-service.ts'

export type LanternOptions = { settings: Settings; needsApp: boolean; closers: Closers }

/** Starts everything in this process: PostgreSQL and the service unless others are named, then the BFF. */
export async function startLantern({ settings, needsApp, closers }: LanternOptions): Promise<StartFacts> {
  const { host, port, publicUrl, trustedProxies, admin } = settings
  const fieldMapping = settings.fieldMapping ? await readFieldMapping(settings.fieldMapping) : undefined
  const dataDir = await prepareDataDir(settings.dataDir)
  // Before the ports, so that a second start is recognised as one.
  const databases = await chooseDatabases(settings, { dataDir, closers })
  await refuseTakenPort('PORT', { host, port })

  const building = needsApp ? buildAppIfNeeded() : Promise.resolve()
  // It runs beside what follows; its failure is met where it is awaited.
  building.catch(() => {})
  const secrets = await keepRoomSecrets(dataDir, settings.secret)
  const { serviceKeys, ...upstream } = await startUpstream({
    settings,
    dataDir,
    databases,
    secret: secrets.service,
    closers,
  })
  await building

  const database = await openMigrated('bff', databases.bff)
  closers.add(database.close)
  const bff = await startBff({
    database,
    host,
    port,
    publicUrl,
    trustedProxies,
    upstream,
    serviceKeys,
    fieldMapping,
    evidenceHosts: settings.evidenceHosts,
    admin,
    singleSignOn: settings.singleSignOn,
    secret: secrets.bff,
    staticFolder: APP_FOLDER,
  })
  closers.add(bff.close)
  const signInLink = await bff.createSignInLink()
  return { publicUrl, signInLink, firstAccount: bff.firstAccount, dataDir, databases, upstream }
}

type Upstream = {
  url: string
  apiKey?: string | undefined
  earlierApiKey?: string | undefined
  kind: 'embedded' | 'vendor'
  /** Of our own service. */
  serviceKeys?: OwnServiceKeys
}

type UpstreamOptions = {
  settings: Settings
  dataDir: string
  databases: ChosenDatabases
  secret: string
  closers: Closers
}

/** The vendor, or our own service in its place, for this machine only and with a key for the BFF. */
async function startUpstream({
  settings,
  dataDir,
  databases,
  secret,
  closers,
}: UpstreamOptions): Promise<Upstream> {
  if (settings.upstream) return { ...settings.upstream, kind: 'vendor' }
  const service = await startOwnService({
    databaseUrl: databases.service,
    address: settings.service.privateAddress,
    secret,
    hasDemo: settings.hasDemo,
    logs: 'failures',
    closers,
  })
  const apiKey = await keepServiceKey(dataDir, service.database)
  const serviceKeys = createOwnServiceKeys(service.database, apiKey)
  return { url: service.url, apiKey, kind: 'embedded', serviceKeys }
}
