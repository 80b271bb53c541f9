import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Who runs PostgreSQL, when that is not ourselves. */
export type PostgresUser = { uid: number; gid: number }

const NOBODY: PostgresUser = { uid: 65_534, gid: 65_534 }

/** PostgreSQL refuses to run as root: root hands it to nobody. */
export function postgresUser(): PostgresUser | undefined {
  return process.getuid?.() === 0 ? NOBODY : undefined
}

/** Whether the user may enter the folder, which means every folder above it too. */
export async function canEnter(user: PostgresUser | undefined, path: string): Promise<boolean> {
  if (!user) return true
  for (let folder = await realpath(path); ; folder = dirname(folder)) {
    const { uid, gid, mode } = await stat(folder)
    const executable = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if ((mode & executable) === 0) return false
    if (folder === dirname(folder)) return true
  }
}
