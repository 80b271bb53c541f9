import { execFile } from 'node:child_process'
import { chown, readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** The user that runs PostgreSQL, if it is not our own. */
export type PostgresUser = { uid: number; gid: number }

/** The start reports this about the user that it found or made; null if there is nothing to report. */
export type SystemUser = PostgresUser & { notice: string | null }

export const NOBODY: PostgresUser = { uid: 65_534, gid: 65_534 }
const NAME = 'lantern-postgres'
/** The programs are in these folders, which root's own PATH may lack. */
const ENVIRONMENT = { PATH: '/usr/sbin:/sbin:/usr/bin:/bin', LANG: 'C' }
/** Most Linux systems have the first, and systems that are built on BusyBox the second. The user's name comes last. */
const MAKERS = [
  ['useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin'],
  ['addgroup -S', `adduser -S -D -H -h /nonexistent -s /sbin/nologin -G ${NAME}`],
]

/** PostgreSQL refuses to run as root, and must own its data: root hands it to the folder's owner. */
export async function findPostgresUser(folder: string): Promise<PostgresUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = await stat(folder)
  return { uid, gid }
}

/**
 * Returns the system user that runs nothing but PostgreSQL, and makes it the first time. Programs that run as `nobody` have
 * access to each other; they have none to it. Returns `nobody` where no user can be made.
 */
export async function ensureSystemUser(
  makers: readonly (readonly string[])[] = MAKERS,
  name = NAME,
): Promise<SystemUser> {
  const found = await findUser(name)
  if (found) return { ...found, notice: null }
  for (const commands of makers) {
    for (const command of commands) await run(`${command} ${name}`).catch(() => {})
    // The user is looked up even after a failure: another start may have made it meanwhile.
    const made = await findUser(name)
    if (made) return { ...made, notice: `runs as the system user ${name}, which was made just now` }
  }
  return { ...NOBODY, notice: `runs as nobody: no system user ${name} could be made` }
}

async function findUser(name: string): Promise<PostgresUser | undefined> {
  try {
    return { uid: Number(await run(`id -u ${name}`)), gid: Number(await run(`id -g ${name}`)) }
  } catch {
    return undefined
  }
}

/** The folder itself goes last: an interrupted start begins again. */
export async function handOverFolder(folder: string, { uid, gid }: PostgresUser): Promise<void> {
  const entries = (await readdir(folder)).map((name) => join(folder, name))
  // The system's own tool follows no link that is put in its way meanwhile.
  if (entries.length > 0)
    await promisify(execFile)('chown', ['-hR', `${uid}:${gid}`, ...entries], { env: ENVIRONMENT })
  await chown(folder, uid, gid)
}

async function run(command: string): Promise<string> {
  const [program = '', ...words] = command.split(' ')
  const { stdout } = await promisify(execFile)(program, words, { env: ENVIRONMENT })
  return stdout.trim()
}

/** Returns true if the user may enter the folder (or run the file), and every folder above it. */
export async function canEnter(user: PostgresUser | undefined, path: string): Promise<boolean> {
  return !user || (await findBarriers(user, path)).length === 0
}

/** Returns those of the path and the folders above it that the user may not enter. */
export async function findBarriers(user: PostgresUser, path: string): Promise<string[]> {
  const barriers = []
  for (let folder = await realpath(path); ; folder = dirname(folder)) {
    const { uid, gid, mode } = await stat(folder)
    const executable = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if ((mode & executable) === 0) barriers.push(folder)
    if (folder === dirname(folder)) return barriers
  }
}
