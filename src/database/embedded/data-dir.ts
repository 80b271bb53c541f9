import { createHash } from 'node:crypto'
import { access, chmod, constants, mkdir, readdir, realpath } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { canEnter } from './postgres-user.ts'

/** May do what everybody may: who PostgreSQL will run as is not settled yet. */
const STRANGER = { uid: -1, gid: -1 }

/**
 * Everything that Lantern keeps lies in the folder of the setting; without one in ./.lantern, or, where we are root and
 * the user that PostgreSQL runs as cannot reach that, in a folder of the system. Made if absent.
 */
export async function prepareDataDir(wanted: string | undefined): Promise<string> {
  const dataDir = wanted ?? (await chooseDataDir())
  try {
    await makeFolder(dataDir)
    const folder = await realpath(dataDir)
    await access(folder, constants.W_OK)
    return folder
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw new Error(
      `DATA_DIR cannot be made or written to: set it to a folder that you may write to (${reason})`,
    )
  }
}

/** Within reach of every user, and another one for each folder it stands in for. */
export function systemFolderFor(dataDir: string): string {
  return `/var/lib/lantern-${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}`
}

async function chooseDataDir(): Promise<string> {
  const local = resolve('.lantern')
  if (process.getuid?.() !== 0 || (await canEnter(STRANGER, dirname(local)))) return local
  const kept = await readdir(local).catch(() => [])
  return kept.length > 0 ? local : systemFolderFor(local)
}

/** Readable by its owner alone. Root lets others pass through, not look: PostgreSQL runs as an ordinary user inside. */
async function makeFolder(folder: string): Promise<void> {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  const first = await mkdir(folder, { recursive: true, mode })
  if (first === undefined) return
  // Whatever a stricter umask has taken off.
  for (let made = folder; made.startsWith(first); made = dirname(made)) await chmod(made, mode)
}
