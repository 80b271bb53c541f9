import { randomBytes } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../open-database.ts'
import { createBoundedLog } from './bounded-log.ts'
import { prepareClusterFolder, settleOwner } from './cluster-folder.ts'
import { prepareDataDir } from './data-dir.ts'
import { DataFolderInUseError, type DataFolderLock, lockDataFolder } from './data-folder-lock.ts'
import { keepSecret, readSecret } from './keep-secret.ts'
import { readPostmaster } from './postmaster.ts'
import { type DatabaseRole, prepareRoles, roleUrls } from './prepare-roles.ts'
import { startCluster } from './start-cluster.ts'
import { stopOrphan } from './stop-orphan.ts'

export type EmbeddedPostgres = {
  /** Returns the URL of a role's own database. None is the superuser's, which makes the roles and disconnects. */
  url(role: DatabaseRole): string
  /** The real path of the data. */
  folder: string
  /** An operator should know this about the user that runs it. */
  notice: string | null
  stop(): Promise<void>
}

const PASSWORD = 'postgres-password'
const createPassword = () => randomBytes(24).toString('base64url')
const JOIN_TIMEOUT_MS = 15_000

/** A command may have started at a moment when no Lantern ran, for example after a crash. */
const COMMAND_WAIT_MS = 60_000

/** Starts DATA_DIR's PostgreSQL for this process alone; refuses if another Lantern runs on it. Waits for a command, unless it is for one. */
export async function startEmbedded(dataDir: string, { isCommand = false } = {}): Promise<EmbeddedPostgres> {
  const home = await prepareDataDir(dataDir)
  const lock = await (isCommand ? lockDataFolder(home, { isCommand }) : lockAfterCommand(home))
  try {
    const folder = await prepareClusterFolder(home)
    await stopOrphan(join(folder, 'data'))
    const notice = await settleOwner(folder)
    const password = await keepSecret(home, PASSWORD, createPassword)
    const log = createBoundedLog(join(home, 'postgres.log'))
    const { port, url, stop } = await startCluster({ folder, password, log })
    try {
      await prepareRoles(url, password)
    } catch (error) {
      await stop()
      throw error
    }
    return {
      url: roleUrls({ password, port }),
      folder,
      notice,
      stop: async () => {
        await stop()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function lockAfterCommand(home: string): Promise<DataFolderLock> {
  const deadline = Date.now() + COMMAND_WAIT_MS
  for (;;) {
    try {
      return await lockDataFolder(home)
    } catch (error) {
      const mayEnd = error instanceof DataFolderInUseError && error.isCommand
      if (!mayEnd || Date.now() > deadline) throw error
      await sleep(100)
    }
  }
}

/** Joins the PostgreSQL of a running Lantern for a command, or starts it for the duration of the command. */
export async function joinEmbedded(dataDir: string): Promise<EmbeddedPostgres> {
  try {
    return await startEmbedded(dataDir, { isCommand: true })
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
  const url = roleUrls({ password, port: postmaster.port })
  return (await canOpenAll(url)) ? { folder, url, notice: null, stop: async () => {} } : undefined
}

async function canOpenAll(url: EmbeddedPostgres['url']): Promise<boolean> {
  try {
    for (const role of ['lantern_runtime', 'lantern_service'] as const)
      await (await openDatabase({ url: url(role), max: 1 })).close()
    return true
  } catch {
    return false
  }
}
