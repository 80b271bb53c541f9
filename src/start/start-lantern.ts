import { createLog } from '#bff/http/log.ts'
import { startBff } from '#bff/start.ts'
import type { OwnServiceKeys } from '#bff/upstream/keys/service-key-routes.ts'
import type { Database } from '#database/database.ts'
import { prepareDataDir } from '#database/embedded/data-dir.ts'
import { schemaChannel } from '#database/migrate.ts'
import { createKey } from '#service/keys/create-key.ts'
import { findKey } from '#service/keys/find-key.ts'
import { hashToken } from '#service/keys/key-token.ts'
import { listKeys } from '#service/keys/list-keys.ts'
import { revokeKey } from '#service/keys/replace-key.ts'
import type { Settings } from '#settings/settings.ts'
import { APP_FOLDER, buildAppIfNeeded } from './build-app.ts'
import { type ChosenDatabases, chooseDatabases } from './choose-databases.ts'
import { keepRoomSecrets } from './keep-room-secrets.ts'
import { keepServiceKey } from './keep-service-key.ts'
import { moveServiceLedger } from './move-service-ledger.ts'
import { openBffDatabase, openerOfOwner, schemaOf } from './open-migrated.ts'
import { readBuild } from './read-build.ts'
import { refuseTakenPort } from './refuse-taken-port.ts'
import type { Closers } from './start-all.ts'
import type { StartFacts } from './start-block.ts'
import { startOwnService } from './start-own-service.ts'
import { untilFirstDays } from './until-first-days.ts'

export type LanternOptions = {
  settings: Settings
  needsApp: boolean
  closers: Closers
  /** Takes why this process cannot go on. */
  giveUp: (error: Error) => void
}

/** Starts everything in this process: PostgreSQL and the service unless others are named, then the BFF. */
export async function startLantern({
  settings,
  needsApp,
  closers,
  giveUp,
}: LanternOptions): Promise<{ facts: StartFacts; announceStop(): void }> {
  const { host, port, metricsPort, publicUrl, trustedProxies, admin } = settings
  const dataDir = await prepareDataDir(settings.dataDir)
  // Before the ports, so that a second start is recognised as one.
  const databases = await chooseDatabases(settings, { dataDir, closers })
  await refuseTakenPort('PORT', { host, port })
  if (metricsPort !== undefined) await refuseTakenPort('METRICS_PORT', { host, port: metricsPort })

  const building = needsApp ? buildAppIfNeeded() : Promise.resolve()
  // It runs beside what follows; its failure is met where it is awaited.
  building.catch(() => {})
  const secrets = await keepRoomSecrets(dataDir, settings)
  const { own, ...upstream } = await startUpstream({
    settings,
    dataDir,
    databases,
    secret: secrets.service,
    secretBefore: secrets.before?.service,
    closers,
  })
  await building

  const { database, rights } = await openBffDatabase(databases.bff)
  closers.add(database.close)
  if (own) {
    const { database: service, account } = own
    await moveServiceLedger({
      service,
      serviceSecret: secrets.service,
      account,
      dashboard: database,
      secret: secrets.bff,
    })
  }
  const openOwner = openerOfOwner(databases.bff, rights)
  const bff = await startBff({
    database,
    host,
    port,
    publicUrl,
    trustedProxies,
    upstream,
    serviceKeys: own?.keys,
    evidenceHosts: settings.evidenceHosts,
    proxy: settings.proxy,
    notify: settings.delivery,
    log: createLog((line) => process.stdout.write(`${line}\n`)),
    metricsPort,
    build: await readBuild(),
    writeAuditLine: settings.hasAuditLog ? (line) => process.stdout.write(`${line}\n`) : undefined,
    retention: settings.retention,
    history: settings.history,
    openOwner,
    admin,
    singleSignOn: settings.singleSignOn,
    hasPasswordSignIn: settings.hasPasswordSignIn,
    factorRoles: settings.factorRoles,
    secret: secrets.bff,
    secretBefore: secrets.before?.bff,
    isSecretBeforeLost: settings.isSecretBeforeLost,
    staticFolder: APP_FOLDER,
    channels: [schemaChannel(database, schemaOf('bff').migrations, giveUp)],
  })
  closers.add(bff.close)
  if (upstream.kind === 'embedded') await untilFirstDays(bff.storedState)
  const signInLink = await bff.createSignInLink()
  const facts = {
    publicUrl,
    signInLink,
    firstAccount: bff.firstAccount,
    dataDir,
    databases,
    rights,
    upstream,
    isAuditUnpruned: settings.retention.auditDays !== undefined && !openOwner,
    unknownSettings: settings.unknown,
    isOtherSecret: bff.isOtherSecret,
  }
  return { facts, announceStop: bff.announceStop }
}

type Upstream = {
  url: string
  apiKey?: string | undefined
  earlierApiKey?: string | undefined
  kind: 'embedded' | 'vendor'
  /** Our own service, with the account of the dashboard's key. */
  own?: { keys: OwnServiceKeys; database: Database; account: string }
}

type UpstreamOptions = {
  settings: Settings
  dataDir: string
  databases: ChosenDatabases
  secret: string
  secretBefore: string | undefined
  closers: Closers
}

/** The vendor, or our own service in its place, for this machine only and with a key for the BFF. */
async function startUpstream({
  settings,
  dataDir,
  databases,
  secret,
  secretBefore,
  closers,
}: UpstreamOptions): Promise<Upstream> {
  if (settings.upstream) return { ...settings.upstream, kind: 'vendor' }
  const service = await startOwnService({
    databaseUrl: databases.service,
    address: settings.service.privateAddress,
    secret,
    secretBefore,
    hasDemo: settings.hasDemo,
    logs: 'failures',
    closers,
  })
  const apiKey = await keepServiceKey(dataDir, service.database)
  const key = await findKey(service.database, hashToken(apiKey), null)
  if (!key) throw new Error('A key that was kept is known')
  const keys: OwnServiceKeys = {
    list: () => listServiceKeys(service.database, key.id),
    create: (created) => createKey(service.database, created),
    revoke: (id) => revokeKey(service.database, id),
  }
  const own = { keys, database: service.database, account: key.accountId }
  return { url: service.url, apiKey, kind: 'embedded', own }
}

/** The keys of our own service, for an admin of the dashboard that runs beside it. */
async function listServiceKeys(service: Database, ownId: string): ReturnType<OwnServiceKeys['list']> {
  return (await listKeys(service)).map((key) => ({
    ...key,
    endsAt: key.endsAt && new Date(key.endsAt).toISOString(),
    isOwn: key.id === ownId,
  }))
}
