import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeDataDir } from './data-dir.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

export type UnpackedRelease = { version: string; path: string; remove(): Promise<void> }

/**
 * The code of the last release before this commit, as git has it, on the packages that are installed now. Without its
 * commit, as in an archive or a shallow clone, the reason is answered.
 */
export async function unpackLastRelease(): Promise<UnpackedRelease | string> {
  const changelog = await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8')
  const versions = [...changelog.matchAll(/^## \[?(\d+\.\d+\.\d+)\b/gm)].map(([, version = '']) => version)
  const release = await findRelease(versions)
  if (release === null) return `git has no commit of a release before this one here (${versions.join(', ')})`
  const { version, commit } = release

  const folder = await makeDataDir()
  const path = join(folder, 'lantern')
  await mkdir(path)
  const archive = join(folder, 'release.tar')
  await run('git', ['-C', ROOT, 'archive', '-o', archive, commit, 'src', 'package.json', 'index.html'])
  await run('tar', ['-xf', archive, '-C', path])
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, text] of GONE_PACKAGES) {
    const file = join(path, 'node_modules', name)
    await mkdir(join(file, '..'), { recursive: true })
    await writeFile(file, text)
  }
  return { version, path, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** The newest that is not the commit of today: the changelog names a version before its commit is made. */
async function findRelease(versions: readonly string[]): Promise<{ version: string; commit: string } | null> {
  const { stdout } = await run('git', ['-C', ROOT, 'rev-parse', 'HEAD']).catch(() => ({ stdout: '' }))
  for (const version of versions) {
    const commit = await findCommit(version)
    if (commit !== null && commit !== stdout.trim()) return { version, commit }
  }
  return null
}

/** Tagged, or made as docs/contributing/releasing.md says. */
async function findCommit(version: string): Promise<string | null> {
  const ask = async (...words: string[]) => {
    const { stdout } = await run('git', ['-C', ROOT, ...words]).catch(() => ({ stdout: '' }))
    return stdout.trim() || null
  }
  return (
    (await ask('rev-parse', '--verify', '--quiet', `v${version}^{commit}`)) ??
    (await ask('log', '--format=%H', '-1', `--grep=^release: ${version.replaceAll('.', '[.]')}$`))
  )
}

/** What the release used of packages that are not installed any more. 0.2.0 took its hashes of passwords from better-auth. */
const GONE_PACKAGES = [
  ['better-auth/package.json', '{ "type": "module", "exports": { "./crypto": "./crypto.js" } }'],
  [
    'better-auth/crypto.js',
    `import { randomBytes, scryptSync } from 'node:crypto'
const derive = (password, salt) =>
  scryptSync(password.normalize('NFKC'), salt, 64, { N: 16384, r: 16, p: 1, maxmem: 2 ** 26 }).toString('hex')
export async function hashPassword(password) {
  const salt = randomBytes(16).toString('hex')
  return salt + ':' + derive(password, salt)
}
export async function verifyPassword({ hash, password }) {
  const [salt, key] = hash.split(':')
  return derive(password, salt) === key
}
`,
  ],
] as const
