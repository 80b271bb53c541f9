import { execFile } from 'node:child_process'
import { chmod, chown, copyFile, glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import * as z from 'zod/mini'
import { sessionAnswerSchema } from '#contract/bff/session.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import type { Build } from '#contract/build.ts'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { NOBODY } from '#database/embedded/postgres-user.ts'
import { joinEmbedded } from '#database/embedded/start-embedded.ts'
import { environmentWith } from '#settings/settings.ts'
import { readBuild } from '#start/read-build.ts'
import { digestDatabase } from '#test/support/digest-database.ts'
import { ADMIN, type RunningLantern, startLantern } from '#test/support/start-lantern.ts'
import { nameRelease } from '../../deploy/release-build.ts'
import { verdict } from '../support/verdict.ts'
import { asOrdinaryUser, makeOwnFolder, startOtherPostgres } from './other-postgres.ts'

const execute = promisify(execFile)
/** It serves on for 5 s, and gives what is under way 4 s. */
const STOPPED_WITHIN_MS = 15_000
const MB = 1e6
/** Neither root nor whoever unpacked it. */
const OTHER_USER = { uid: 10_001, gid: 10_001 }
const RECORD = { source: 'own', source_id: '1', category: 'Ransomware', title: 'Brought along' }

const packageSchema = z.object({ name: z.string(), version: z.string() })
const sbomSchema = z.object({ components: z.array(packageSchema) })

type Form = {
  name: string
  suffix: string
  targetBytes: number
  /** How it is started, and where Node is. */
  command: readonly [string, ...string[]]
  path: string
  hasOwnPostgres: boolean
}
const { PATH: ownPath = '' } = environmentWith({})
/** As in a shell of this machine: npm, and none of the packages of this repository. */
const systemPath = ownPath
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':')
const FORMS: readonly Form[] = [
  {
    name: 'complete, by npm start',
    suffix: '',
    targetBytes: 300 * MB,
    command: ['npm', 'start'],
    path: systemPath,
    hasOwnPostgres: true,
  },
  {
    name: 'slim, by bin/lantern, beside a Node and a PostgreSQL',
    suffix: '-slim',
    targetBytes: 120 * MB,
    command: ['bin/lantern'],
    path: `${dirname(process.execPath)}:${systemPath}`,
    hasOwnPostgres: false,
  },
]

/** Makes a release, and runs each form of it as a new machine would: unpacked by an ordinary user, without a registry. */
export async function proveRelease(): Promise<void> {
  console.log('\nA release, unpacked in an empty folder by an ordinary user, without a registry')
  const source = await readBuild()
  await execute(process.execPath, ['deploy/release.ts'], { maxBuffer: 64 * MB })
  for (const form of FORMS) {
    console.log(`  ${form.name}`)
    await measureForm(form, { source, name: `${nameRelease(source)}${form.suffix}` })
  }
}

async function measureForm(form: Form, { source, name }: { source: Build; name: string }): Promise<void> {
  const folder = await makeOwnFolder()
  const own = process.getuid?.() === 0 ? NOBODY : {}
  const root = join(folder, name)
  const [dataDir, home] = [join(folder, 'data'), join(folder, 'home')]
  const cluster = form.hasOwnPostgres ? null : await startOtherPostgres()
  try {
    await execute('tar', ['-xf', join(process.cwd(), 'release', `${name}.tar.gz`)], { cwd: folder, ...own })
    const bytes = Number.parseInt((await execute('du', ['-sb', root])).stdout, 10)
    // A goal, which packages outgrow by themselves; all else is what a release must do.
    const size = `${(bytes / MB).toFixed(1)} MB unpacked (at most ${form.targetBytes / MB})`
    console.log(`    ${verdict(bytes <= form.targetBytes)} ${size}`)
    await compareSbom(root)
    for (const made of [dataDir, home]) await execute('mkdir', ['-m', '700', made], own)

    const metricsPort = await findFreePort()
    const settings = {
      PATH: form.path,
      HOME: home,
      npm_config_offline: 'true',
      npm_config_registry: 'http://127.0.0.1:9/',
      DATA_DIR: dataDir,
      METRICS_PORT: String(metricsPort),
      ...cluster?.settings,
    }
    const startedMs = performance.now()
    const lantern = await startLantern({
      dataDir,
      settings,
      cwd: root,
      command: asOrdinaryUser(form.command),
    })
    console.log(`    ready after ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`)
    try {
      await readPages(lantern)
      await compareBuild(metricsPort, source)
      await importOne({ root, folder, settings })
    } finally {
      const stoppedMs = performance.now()
      const code = await lantern.stop('SIGTERM')
      const tookMs = Math.round(performance.now() - stoppedMs)
      say(code === 0 && tookMs < STOPPED_WITHIN_MS, `ended with ${code} after ${tookMs} ms`)
    }
    await execute('sha256sum', ['--quiet', '-c', 'SHA256SUMS'], { cwd: root }).then(
      () => say(true, 'every file is as SHA256SUMS has it, after the run too'),
      (error: Error) => say(false, error.message),
    )
    if (form.hasOwnPostgres) await moveElsewhere({ root, folder, settings })
  } finally {
    await cluster?.stop()
    await rm(folder, { recursive: true })
  }
}

/** Whether metrics say which code it was made of. */
async function compareBuild(metricsPort: number, { version, commit }: Build): Promise<void> {
  const figures = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const isNamed = figures.includes(`lantern_build_info{version="${version}",commit="${commit}"} 1`)
  say(isNamed, `lantern_build_info has version ${version} and commit ${commit}`)
}

/** Whether it names every package that was unpacked, and what the app is made of. */
async function compareSbom(root: string): Promise<void> {
  const { components } = sbomSchema.parse(JSON.parse(await readFile(join(root, 'sbom.cdx.json'), 'utf8')))
  const named = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const missing = ['react', 'recharts'].filter((name) => !components.some((found) => found.name === name))
  let installed = 0
  for await (const file of glob('**/node_modules/{*,@*/*}/package.json', { cwd: root })) {
    const { name, version } = packageSchema.parse(JSON.parse(await readFile(join(root, file), 'utf8')))
    installed += 1
    if (!named.has(`${name}@${version}`)) missing.push(name)
  }
  say(
    installed > 0 && missing.length === 0,
    `the SBOM names all ${installed} packages${missing.length > 0 ? ` but ${missing.join(', ')}` : ''}`,
  )
}

/** Its page, a sign-in and the feed. */
async function readPages({ url }: RunningLantern): Promise<void> {
  const page = await (await fetch(url)).text()
  say(page.includes('<script type="module"'), 'serves the built app')
  const signedIn = await fetch(new URL('/bff/sign-in', url), {
    method: 'POST',
    headers: { 'x-lantern': '1', 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  })
  const cookie = signedIn.headers.getSetCookie().at(0)?.split(';').at(0) ?? ''
  const session = sessionAnswerSchema.safeParse(await signedIn.json())
  say(session.success, `signed in with ${signedIn.status}`)
  const feed = await fetch(new URL('/bff/threats', url), { headers: { 'x-lantern': '1', cookie } })
  const threats = threatListSchema.safeParse(await feed.json()).data?.threats.length ?? 0
  say(threats > 0, `read ${threats} threats of the feed`)
}

type Place = { root: string; folder: string; settings: Record<string, string> }

/** From another folder, by the name that the file has there. */
async function importOne({ root, folder, settings }: Place): Promise<void> {
  await writeFile(join(folder, 'own.ndjson'), JSON.stringify(RECORD))
  const [program, ...words] = asOrdinaryUser([
    join(root, 'bin/lantern'),
    'import',
    'own.ndjson',
    '--keep-demo',
  ])
  const run = execute(program, words, { cwd: folder, env: environmentWith({ ...settings, INIT_CWD: '/' }) })
  await run.then(
    () => say(true, 'imported a file beside the running Lantern'),
    (error: Error) => say(false, error.message),
  )
}

/** From the embedded PostgreSQL, by a backup, to another user's folder and another PostgreSQL: each row as it was. */
async function moveElsewhere({ root, folder, settings }: Place): Promise<void> {
  const other = await startOtherPostgres()
  const user = process.getuid?.() === 0 ? OTHER_USER : undefined
  const elsewhere = await mkdtemp(join(tmpdir(), 'lantern-elsewhere-'))
  try {
    const passphrase = { BACKUP_PASSPHRASE: 'what the measurement seals with' }
    const made = join(folder, 'lantern.backup')
    await runLantern(root, ['backup', made], { ...settings, ...passphrase })
    const file = join(elsewhere, 'lantern.backup')
    await copyFile(made, file)
    if (user) for (const owned of [elsewhere, file]) await chown(owned, user.uid, user.gid)
    // Another user of the machine may come here, and write nowhere.
    await chmod(folder, 0o711)
    const there = { ...settings, HOME: elsewhere, DATA_DIR: join(elsewhere, 'data'), ...other.settings }
    await runLantern(root, ['restore', file], { ...there, ...passphrase }, user)

    const { DATA_DIR = '' } = settings
    // Root's PostgreSQL runs as a user of its own, who has to come here.
    await chmod(DATA_DIR, 0o711)
    const embedded = await joinEmbedded(DATA_DIR)
    const owned = [embedded.url('lantern_owner'), embedded.url('lantern_service')]
    const before = await Promise.all(owned.map(digestDatabase))
    await embedded.stop()
    const { DATABASE_OWNER_URL, SERVICE_DATABASE_URL } = other.settings
    const after = await Promise.all([DATABASE_OWNER_URL, SERVICE_DATABASE_URL].map(digestDatabase))
    const isEqual = isDeepStrictEqual(before, after)
    const tables = before.flatMap((digests) => Object.keys(digests)).length
    say(isEqual, `after a backup and a restore, ${tables} tables and sequences are equal, row by row`)
    const lantern = await startLantern({
      dataDir: there.DATA_DIR,
      settings: there,
      cwd: root,
      command: asOrdinaryUser([join(root, 'bin/lantern')], user),
    })
    await readPages(lantern).finally(() => lantern.stop('SIGTERM'))
  } catch (error) {
    say(false, error instanceof Error ? error.message : String(error))
  } finally {
    await other.stop()
    await rm(elsewhere, { recursive: true })
  }
}

async function runLantern(
  root: string,
  words: readonly string[],
  settings: Record<string, string>,
  user = NOBODY,
): Promise<void> {
  const [program, ...rest] = asOrdinaryUser([join(root, 'bin/lantern'), ...words], user)
  await execute(program, rest, { cwd: '/', env: environmentWith(settings) })
}

function say(isMet: boolean, what: string): void {
  if (!isMet) process.exitCode = 1
  console.log(`    ${verdict(isMet)} ${what}`)
}
