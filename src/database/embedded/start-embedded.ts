import { randomBytes } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../open-database.ts'
import { createBoundedLog } from './bounded-log.ts'
import { prepareClusterFolder } from './cluster-folder.ts'
import { prepareDataDir } from './data-dir.ts'
import { DataFolderInUseError, lockDataFolder } from './data-folder-lock.ts'
import { keepSecret, readSecret } from './keep-secret.ts'
import { readPostmaster } from './postmaster.ts'
import { clusterUrl, startCluster } from './start-cluster.ts'
import { stopOrphan } from './stop-orphan.ts'

export type EmbeddedPostgres = {
  url(database: EmbeddedDatabase): string
  /** Where the data really lies. */
  folder: string
  stop(): Promise<void>
}

const DATABASES = ['lantern_service', 'lantern_bff'] as const
export type EmbeddedDatabase = (typeof DATABASES)[number]

const PASSWORD = 'postgres-password'
const createPassword = () => randomBytes(24).toString('base64url')
const JOIN_TIMEOUT_MS = 15_000

/** Starts DATA_DIR's PostgreSQL for this process alone; refuses if another Lantern runs on it. */
export async function startEmbedded(dataDir: string): Promise<EmbeddedPostgres> {
  const home = await prepareDataDir(dataDir)
  const lock = await lockDataFolder(home)
  try {
    const folder = await prepareClusterFolder(home)
    await stopOrphan(join(folder, 'data'))
    const password = await keepSecret(home, PASSWORD, createPassword)
    const log = createBoundedLog(join(home, 'postgres.log'))
    const cluster = await startCluster({ folder, password, log })
    try {
      await createDatabases(cluster.url('postgres'))
    } catch (error) {
      await cluster.stop()
      throw error
    }
    return {
      url: cluster.url,
      folder,
      stop: async () => {
        await cluster.stop()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** For a command beside a running Lantern: joins its PostgreSQL, or starts it for as long as the command takes. */
export async function joinEmbedded(dataDir: string): Promise<EmbeddedPostgres> {
  try {
    return await startEmbedded(dataDir)
  } catch (error) {
    if (!(error instanceof DataFolderInUseError)) throw error
    return joinRunning(await prepareDataDir(dataDir))
  }
}

async function joinRunning(home: string): Promise<EmbeddedPostgres> {
  const deadline = Date.now() + JOIN_TIMEOUT_MS
  while (Date.now() < deadline) {
    const joined = await tryJoin(home)
    if (joined) return joined
    // The other may be starting this moment.
    await sleep(100)
  }
  throw new Error(`Lantern runs on DATA_DIR ${home}, but its database does not answer`)
}

async function tryJoin(home: string): Promise<EmbeddedPostgres | undefined> {
  const folder = await realpath(join(home, 'postgres')).catch(() => home)
  const postmaster = await readPostmaster(join(folder, 'data'))
  const password = await readSecret(home, PASSWORD).catch(() => undefined)
  if (postmaster?.status !== 'ready' || !password) return undefined
  const url = (database: EmbeddedDatabase) => clusterUrl({ password, port: postmaster.port }, database)
  const isComplete = await canOpenAll(url)
  return isComplete ? { folder, url, stop: async () => {} } : undefined
}

async function canOpenAll(url: EmbeddedPostgres['url']): Promise<boolean> {
  try {
    for (const name of DATABASES) await (await openDatabase({ url: url(name), max: 1 })).close()
    return true
  } catch {
    return false
  }
}

async function createDatabases(url: string): Promise<void> {
  const admin = await openDatabase({ url, max: 1, statementTimeoutMs: 0 })
  try {
    for (const name of DATABASES) {
      const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
      if (rowCount === 0) await admin.query(`create database ${name}`)
    }
  } finally {
    await admin.close()
  }
}
