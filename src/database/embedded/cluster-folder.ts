import { chown, lstat, mkdir, realpath, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { findBarriers, NOBODY } from './postgres-user.ts'

const MIN_FREE_BYTES = 100_000_000

/**
 * The real folder that holds DATA_DIR's cluster, made if absent. Its owner is who PostgreSQL runs as. A link, as earlier
 * versions made where that user could not reach DATA_DIR, is followed.
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
  if (self === 0 && uid === 0) await chown(folder, NOBODY.uid, NOBODY.gid)
  if (self === 0) await refuseBarriers(folder)
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < MIN_FREE_BYTES) throw new Error(`The disk that holds ${folder} is full`)
  return folder
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
