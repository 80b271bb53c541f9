import { execFile } from 'node:child_process'
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CHILD_ENVIRONMENT } from './child-environment.ts'
import { executable } from './postgres-binaries.ts'
import type { PostgresUser } from './postgres-user.ts'

/** This user owns everything inside the cluster. */
export const CLUSTER_USER = 'lantern'

export type InitializeClusterOptions = {
  /** The installation of PostgreSQL. */
  binaries: string
  folder: string
  /** Within the folder: what initdb makes. */
  data: string
  password: string
  user: PostgresUser | undefined
}

/** Text is ordered and folded by rules that PostgreSQL itself brings: the same on every machine. */
const FLAGS = [
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--data-checksums',
]

/** Made under another name and then renamed: an interrupted initdb leaves no half cluster behind. */
export async function initializeCluster({
  binaries,
  data,
  folder,
  password,
  user,
}: InitializeClusterOptions): Promise<void> {
  if (await stat(join(data, 'PG_VERSION')).catch(() => undefined)) return
  const draft = join(folder, 'data.new')
  const passwordFile = join(folder, 'password.new')
  await rm(draft, { recursive: true, force: true })
  await rm(passwordFile, { force: true })
  await writePasswordFile(passwordFile, password, user)
  try {
    await promisify(execFile)(
      join(binaries, 'bin', executable('initdb')),
      [`--pgdata=${draft}`, `--username=${CLUSTER_USER}`, `--pwfile=${passwordFile}`, ...FLAGS],
      { ...user, cwd: folder, env: CHILD_ENVIRONMENT },
    )
  } catch (error) {
    const reason = error instanceof Error && 'stderr' in error ? error.stderr : error
    throw new Error(`PostgreSQL could not be set up: ${reasonIn(String(reason))}`)
  } finally {
    await rm(passwordFile, { force: true })
  }
  await rename(draft, data)
}

/** Returns the reason from PostgreSQL's output, which contains no password. */
export function reasonIn(output: string): string {
  const lines = output.trim().split('\n')
  const reason = lines.findLast((line) => /(?:FATAL|PANIC|error):\s/.test(line)) ?? lines.at(-1) ?? ''
  return /No space left on device/.test(output) ? `its disk is full, make room (${reason})` : reason
}

/** The folder is another user's: `wx` follows no link that stands in the file's place, nor does a handle's chown. */
async function writePasswordFile(
  path: string,
  password: string,
  user: PostgresUser | undefined,
): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(password)
    if (user) await file.chown(user.uid, user.gid)
  } finally {
    await file.close()
  }
}
