import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { keysSchema } from '#contract/bff/key.ts'
import { viewListSchema } from '#contract/bff/view.ts'
import { canEnter, NOBODY } from '#database/embedded/postgres-user.ts'
import { joinEmbedded } from '#database/embedded/start-embedded.ts'
import { openDatabase } from '#database/open-database.ts'
import { environmentWith, parseSettings } from '#settings/settings.ts'
import { backUp } from '#start/back-up.ts'
import { restore } from '#start/restore.ts'
import { digestDatabase } from '#test/support/digest-database.ts'
import { openStandInUpstream, type StandInUpstream } from '#test/support/stand-in-upstream.ts'
import { ADMIN, type RunningLantern, startLantern } from '#test/support/start-lantern.ts'
import { v1List, v1Record } from '#test/support/upstream-records.ts'
import { databaseUrl } from '#test/support/with-database.ts'

const PASSPHRASE = 'what the tests seal with'
const KEY = 'key-of-the-settings-0001'
const NOTE = 'ask “legal”\n\tabout \\u0000 and {it} \u{1F56F}\u2028'
const BACKUP = { name: 'backup', hasSecrets: true, hasThreats: true } as const
const QUIET = { notify: () => {} }
const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url))

let folder = ''
let vendor: StandInUpstream
/** Another user of this machine, where we may be it and it can reach Lantern; ourselves otherwise. */
let other: { runner: readonly [string, ...string[]]; ids: { uid: number; gid: number } | null }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lantern-backup-'))
  await chmod(folder, 0o711)
  const { close, ...standIn } = await openStandInUpstream()
  vendor = standIn
  vendor.play('/api/v1/threats', ({ headers }) =>
    headers.authorization === `Bearer ${KEY}`
      ? { json: v1List([v1Record({ title: NOTE, published_at: new Date().toISOString() })]) }
      : { status: 401, json: { error: 'Invalid key' } },
  )
  vendor.play('/api/feed', { status: 403, json: { error: 'Professional or Enterprise is needed' } })
  const isRoot = process.getuid?.() === 0
  const canBeOther = isRoot && (await canEnter(NOBODY, process.execPath)) && (await canEnter(NOBODY, SOURCE))
  const become = `data:text/javascript,process.setgroups([]);process.setgid(${NOBODY.gid});process.setuid(${NOBODY.uid})`
  other = canBeOther
    ? { runner: [process.execPath, '--import', become], ids: NOBODY }
    : { runner: [process.execPath], ids: null }
  return async () => {
    await close()
    await rm(folder, { recursive: true })
  }
})

test('a running Lantern goes into a file, to another PostgreSQL, and back into a folder of another user', {
  timeout: 120_000,
}, async () => {
  const dataDir = await makeFolder('first', null)
  const settings = { UPSTREAM_URL: vendor.url }
  const first = await startLantern({ dataDir, settings, flags: ['--without-app'] })
  const person = await signIn(first)
  expect((await person.ask('PUT', 'keys/v1', { key: KEY })).status).toBe(200)
  const view = { name: 'Ours', filter: {}, timeZone: 'UTC', isShared: true }
  expect((await person.ask('POST', 'views', view)).status).toBe(201)
  expect((await person.ask('POST', 'users', { email: 'bob@lantern.example', role: 'analyst' })).status).toBe(
    201,
  )
  expect((await person.ask('POST', 'triage', { action: 'note', ids: ['thr_1'], text: NOTE })).status).toBe(
    200,
  )
  await writeFile(join(folder, 'posts.ndjson'), POSTS.map((post) => `${JSON.stringify(post)}\n`).join(''))
  await run('import', [join(folder, 'posts.ndjson')], { DATA_DIR: dataDir })

  const running = join(folder, 'running.backup')
  await run('backup', [running], { DATA_DIR: dataDir })
  expect((await stat(running)).mode & 0o777).toBe(0o600)
  expect(await readFile(running, 'latin1')).not.toMatch(/lantern\.example|Northwind/)
  await first.stop()

  // At rest, so that what is compared stands still.
  const atRest = join(folder, 'at-rest.backup')
  await run('backup', [atRest], { DATA_DIR: dataDir })
  const embedded = await joinEmbedded(dataDir)
  const digests = await digestBoth(embedded.url('lantern_owner'), embedded.url('lantern_service'))
  await embedded.stop()
  expect(digests.service.threat).toMatch(/^2 rows/)
  expect(digests.dashboard.triage_event).toMatch(/^1 rows/)

  await using external = await makeDatabases()
  const aside = {
    ...external.settings,
    BACKUP_PASSPHRASE: PASSPHRASE,
    DATA_DIR: await makeFolder('aside', null),
  }
  await restore(
    parseSettings(aside),
    { name: 'restore', file: atRest, replace: null, isUnsealedAllowed: false },
    QUIET,
  )
  expect(await digestBoth(external.settings.DATABASE_URL, external.settings.SERVICE_DATABASE_URL)).toEqual(
    digests,
  )
  const back = join(folder, 'external.backup')
  await backUp(parseSettings(aside), { ...BACKUP, file: back }, QUIET)

  const otherDir = await makeFolder('other', other.ids)
  if (other.ids) await chown(back, other.ids.uid, other.ids.gid)
  await run('restore', [back], { DATA_DIR: otherDir }, other.runner)
  const again = join(otherDir, 'again.backup')
  await run(
    'backup',
    [again, '--without-secrets'],
    { DATA_DIR: otherDir, BACKUP_PASSPHRASE: '' },
    other.runner,
  )
  const open = join(folder, 'open.backup')
  await backUp(
    parseSettings({ ...aside, BACKUP_PASSPHRASE: '' }),
    { ...BACKUP, file: open, hasSecrets: false },
    QUIET,
  )
  expect(await readOpenLines(again)).toEqual(await readOpenLines(open))
  expect((await stat(again)).uid).toBe(other.ids?.uid ?? process.getuid?.())

  const [program, ...words] = other.runner
  const second = await startLantern({
    dataDir: otherDir,
    settings,
    cwd: otherDir,
    command: [program, ...words, join(SOURCE, 'main.ts'), '--without-app'],
  })
  const called = vendor.calls.length
  const same = await signIn(second)
  const { keys } = keysSchema.parse(await (await same.ask('GET', 'keys')).json())
  expect(keys.v1).toMatchObject({ from: 'settings', lastFour: '0001', status: 'valid' })
  await same.ask('GET', 'threats/thr_1?set=v1')
  expect((await same.ask('POST', 'views', { ...view, name: 'New' })).status).toBe(201)
  const { views } = viewListSchema.parse(await (await same.ask('GET', 'views')).json())
  expect(views.map(({ name }) => name)).toEqual(['New', 'Ours'])
  await expect
    .poll(() => vendor.calls.slice(called).map(({ headers }) => headers.authorization))
    .toContain(`Bearer ${KEY}`)
  expect(await run('audit', ['verify'], { DATA_DIR: otherDir }, other.runner)).toContain(
    'as they were written',
  )
  await second.stop()
})

const POSTS = [
  {
    source: 'site',
    source_id: '1',
    category: 'Ransomware',
    title: NOTE,
    victim: 'Northwind Foods',
    published: '2026-11-01T08:00:00.123Z',
    countries: ['Germany', 'a "b" \\c'],
  },
  { source: 'site', source_id: '2', category: 'Other', title: '', published: '2026-11-02T08:00:00Z' },
]

async function makeFolder(name: string, owner: { uid: number; gid: number } | null): Promise<string> {
  const path = join(folder, name)
  await mkdir(path)
  await chmod(path, 0o711)
  if (owner) await chown(path, owner.uid, owner.gid)
  return path
}

type Environment = Record<string, string>

/** A command as npm runs it, which ends well. Answers what it said. */
async function run(
  command: string,
  args: readonly string[],
  settings: Environment,
  [program, ...words]: readonly [string, ...string[]] = [process.execPath],
): Promise<string> {
  const env = environmentWith({ BACKUP_PASSPHRASE: PASSPHRASE, ...settings })
  const file = join(SOURCE, 'commands', `${command}.ts`)
  const { stdout, stderr } = await promisify(execFile)(program, [...words, file, ...args], {
    env,
    cwd: folder,
  })
  return `${stdout}${stderr}`
}

async function signIn({ url }: RunningLantern) {
  const send = (method: string, path: string, body?: unknown, cookie = '') =>
    fetch(`${url}/bff/${path}`, {
      method,
      headers: { 'x-lantern': '1', 'content-type': 'application/json', cookie },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const answer = await send('POST', 'sign-in', ADMIN)
  expect(answer.status).toBe(200)
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { ask: (method: string, path: string, body?: unknown) => send(method, path, body, cookie) }
}

/** Two empty ones on another PostgreSQL. */
async function makeDatabases() {
  const names = ['dashboard', 'service'].map((name) => `backup_${name}_${process.pid}`)
  const administer = async (statement: (name: string) => string) => {
    const admin = await openDatabase({ url: databaseUrl('postgres'), max: 1 })
    for (const name of names) await admin.query(statement(name))
    await admin.close()
  }
  await administer((name) => `create database ${name}`)
  const [dashboard = '', service = ''] = names.map(databaseUrl)
  return {
    settings: { DATABASE_URL: dashboard, SERVICE_DATABASE_URL: service },
    [Symbol.asyncDispose]: () => administer((name) => `drop database ${name} with (force)`),
  }
}

async function digestBoth(dashboard: string, service: string) {
  return { dashboard: await digestDatabase(dashboard), service: await digestDatabase(service) }
}

/** What a file that is not sealed holds, but for when it was made. Rows of a table come in any order. */
async function readOpenLines(file: string): Promise<string[]> {
  const bytes = await readFile(file)
  const text = gunzipSync(bytes.subarray(bytes.indexOf('\n') + 1)).toString()
  return (
    text
      .replace(/"createdAt":"[^"]*"/, '')
      // Each restore or backup changes these.
      .replace(/^\{"part":"table","name":"(?:audit_|last_backup).*\n(?:\[.*\n)*.*\n/gm, '')
      .replace(/\{"name":"audit_[^}]*\}/, '')
      .split('\n')
      .sort()
  )
}
