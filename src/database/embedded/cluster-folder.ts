import { lstat, mkdir, realpath, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureSystemUser, findBarriers, handOverFolder, NOBODY } from './postgres-user.ts'

const MIN_FREE_BYTES = 100_000_000

/**
 * The real folder that holds DATA_DIR's cluster, made if absent. A link, as earlier versions made where PostgreSQL's user
 * could not reach DATA_DIR, is followed.
 */
export async function prepareClusterFolder(dataDir: string): Promise<string> {
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
export async function settleOwner(folder: string): Promise<string | null> {
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
