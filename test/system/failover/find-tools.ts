import { constants } from 'node:fs'
import { access, chmod, copyFile, mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPostgresBinaries } from '#database/embedded/postgres-binaries.ts'
import type { PostgresUser } from '#database/embedded/postgres-user.ts'
import { isInstalled } from '#test/support/is-installed.ts'

/** Where Debian's packages of PostgreSQL have their programs, one folder for each major version. */
const DEBIAN_POSTGRES = '/usr/lib/postgresql'
const LEAST_VERSION = 16
const PROGRAMS = new Map([
  ['patroni', 'patroni'],
  ['etcd', 'etcd-server'],
  ['haproxy', 'haproxy'],
])

/** Of the Debian packages that the measurement needs, those that are not installed. */
export async function listMissingPackages(): Promise<string[]> {
  const missing = []
  for (const [program, name] of PROGRAMS) if (!(await isInstalled(program))) missing.push(name)
  if ((await debianVersions()).length === 0) missing.unshift('postgresql')
  return missing
}

/**
 * A folder with the programs of PostgreSQL that Patroni calls: Debian's own, where it is one that Lantern runs on. Else
 * the server that Lantern brings, with stand-ins for what it lacks.
 */
export async function collectPrograms(
  folder: string,
  user: PostgresUser | undefined,
): Promise<{ bin: string; name: string }> {
  const [newest = 0] = await debianVersions()
  const debian = join(DEBIAN_POSTGRES, String(newest), 'bin')
  if (newest >= LEAST_VERSION) return { bin: debian, name: `Debian's PostgreSQL ${newest}` }

  const bin = join(folder, 'bin')
  await mkdir(bin)
  const own = join(await findPostgresBinaries(user), 'bin')
  for (const name of ['postgres', 'initdb', 'pg_ctl']) await symlink(join(own, name), join(bin, name))
  await symlink(join(debian, 'pg_isready'), join(bin, 'pg_isready'))
  for (const name of ['pg_controldata', 'pg_basebackup']) {
    await copyFile(fileURLToPath(new URL('postgres-tools.py', import.meta.url)), join(bin, name))
    await chmod(join(bin, name), 0o755)
  }
  return { bin, name: `Lantern's own PostgreSQL, since Debian's is ${newest}` }
}

async function debianVersions(): Promise<number[]> {
  const names = await readdir(DEBIAN_POSTGRES).catch(() => [])
  const versions = []
  for (const name of names) {
    const isThere = await access(join(DEBIAN_POSTGRES, name, 'bin', 'pg_isready'), constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) versions.push(Number(name))
  }
  return versions.sort((a, b) => b - a)
}
