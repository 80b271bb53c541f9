import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Who runs PostgreSQL, when that is not ourselves. */
export type PostgresUser = { uid: number; gid: number }

export const NOBODY: PostgresUser = { uid: 65_534, gid: 65_534 }

/** PostgreSQL refuses to run as root, and must own its data: root hands it to the folder's owner. */
export async function findPostgresUser(folder: string): Promise<PostgresUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = await stat(folder)
  return { uid, gid }
}

/** Whether the user may enter the folder (or run the file), which means entering every folder above it too. */
export async function canEnter(user: PostgresUser | undefined, path: string): Promise<boolean> {
  return !user || (await findBarriers(user, path)).length === 0
}

/** Of the path and the folders above it, those that the user may not enter. */
export async function findBarriers(user: PostgresUser, path: string): Promise<string[]> {
  const barriers = []
  for (let folder = await realpath(path); ; folder = dirname(folder)) {
    const { uid, gid, mode } = await stat(folder)
    const executable = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if ((mode & executable) === 0) barriers.push(folder)
    if (folder === dirname(folder)) return barriers
  }
}
