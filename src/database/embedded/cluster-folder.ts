import { chown, lstat, mkdir, mkdtemp, realpath, stat, statfs, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { foldersWithinReach } from './postgres-binaries.ts'
import { canEnter, NOBODY } from './postgres-user.ts'

const MIN_FREE_BYTES = 100_000_000

/** The real folder that holds DATA_DIR's cluster, made if absent. Its owner is who PostgreSQL runs as. */
export async function prepareClusterFolder(dataDir: string): Promise<string> {
  const link = join(dataDir, 'postgres')
  if (!(await lstat(link).catch(() => undefined))) await createClusterFolder(dataDir, link)
  const folder = await realpath(link).catch(() => {
    throw new Error(
      `${link} points to a folder that is gone, and the data with it. Remove it to start empty.`,
    )
  })
  const { uid } = await stat(folder)
  const self = process.getuid?.() ?? uid
  if (self !== 0 && uid !== self) {
    throw new Error(`${folder} belongs to another user. Run Lantern as that user, or set another DATA_DIR.`)
  }
  if (self === 0 && uid === 0) await chown(folder, NOBODY.uid, NOBODY.gid)
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < MIN_FREE_BYTES) throw new Error(`The disk that holds ${folder} is full`)
  return folder
}

/** As root, where nobody cannot reach DATA_DIR, the cluster lies elsewhere and DATA_DIR holds a link to it. */
async function createClusterFolder(dataDir: string, link: string): Promise<void> {
  if (process.getuid?.() !== 0 || (await canEnter(NOBODY, dataDir))) {
    await mkdir(link, { mode: 0o700 })
    return
  }
  const [parent] = await foldersWithinReach(NOBODY)
  if (parent === undefined) throw new Error('No folder found that PostgreSQL can reach as an ordinary user')
  await symlink(await mkdtemp(join(parent, 'lantern-')), link)
}
