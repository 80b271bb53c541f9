import { randomBytes } from 'node:crypto'
import { lstat, mkdir, realpath, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { pollUntil } from '#server/poll-until.ts'
import { openDatabase } from '../open-database.ts'
import { createBoundedLog } from './bounded-log.ts'
import { prepareDataDir } from './data-dir.ts'
import { DataFolderInUseError, type DataFolderLock, lockDataFolder } from './data-folder-lock.ts'
import { keepSecret, readSecret } from './keep-secret.ts'
import { ensureSystemUser, findBarriers, handOverFolder, NOBODY } from './postgres-user.ts'
import { readPostmaster, stopOrphan } from './postmaster.ts'
import { type DatabaseRole, prepareRoles, roleUrls } from './prepare-roles.ts'
import { startCluster } from './start-cluster.ts'

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
const MIN_FREE_BYTES = 100_000_000
const JOIN_WAIT = { everyMs: 100, forMs: 15_000 }
/** A command may have started at a moment when no Lantern ran, for example after a crash. */
const COMMAND_WAIT = { everyMs: 100, forMs: 60_000 }

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
  const lockUnlessCommand = () =>
    lockDataFolder(home).catch((error: unknown) => {
      if (error instanceof DataFolderInUseError && error.isCommand) return undefined
      throw error
    })
  return (await pollUntil(lockUnlessCommand, COMMAND_WAIT)) ?? lockDataFolder(home)
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
  // The other may be starting this moment.
  const joined = await pollUntil(() => tryJoin(home), JOIN_WAIT)
  if (joined) return joined
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

/**
 * The real folder that holds DATA_DIR's cluster, made if absent. A link, as earlier versions made where PostgreSQL's user
 * could not reach DATA_DIR, is followed.
 */
async function prepareClusterFolder(dataDir: string): Promise<string> {
  const path = join(dataDir, 'postgres')
  if (!(await lstat(path).catch(() => undefined))) await mkdir(path, { mode: 0o700 })
  const folder = await realpath(path).catch(() => {
    throw new Error(
      `${path} points to a folder that is gone, and the data with it. Remove it to start empty.`,
    )
  })
  const { uid } = await stat(folder)
  const self = process.getuid?.() ?? uid
  if (self !== 0 && uid !== self) {
    throw new Error(`${folder} belongs to another user. Run Lantern as that user, or set another DATA_DIR.`)
  }
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < MIN_FREE_BYTES)
    throw new Error(`The disk that holds ${folder} is full: make room, then start again`)
  return folder
}

/**
 * The folder's owner is who PostgreSQL runs as. Root gives one that is its own, or `nobody`'s as in earlier versions, to
 * the system user of PostgreSQL. None of it may be in use. Answers what the start has to say of that.
 */
async function settleOwner(folder: string): Promise<string | null> {
  if (process.getuid?.() !== 0) return null
  const { uid } = await stat(folder)
  let warnings: string | null = null
  if (uid === 0 || uid === NOBODY.uid) {
    const { notice, ...user } = await ensureSystemUser()
    if (user.uid !== uid) await handOverFolder(folder, user)
    const handed =
      uid === NOBODY.uid && user.uid !== uid ? 'its data, which was nobody’s, is its own now' : null
    warnings = [notice, handed].filter((text) => text !== null).join('; ') || null
  }
  await refuseBarriers(folder)
  return warnings
}

/** Root gives PostgreSQL to an ordinary user, who must be able to come here. */
async function refuseBarriers(folder: string): Promise<void> {
  const { uid, gid } = await stat(folder)
  const barriers = (await findBarriers({ uid, gid }, folder)).join(' ')
  if (barriers === '') return
  throw new Error(
    `PostgreSQL runs as an ordinary user, who cannot enter ${barriers}: chmod a+x ${barriers}, ` +
      'or set DATA_DIR to a folder such as /var/lib/lantern',
  )
}
