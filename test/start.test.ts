import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readPostmaster } from '#database/embedded/postmaster.ts'
import { makeDataDir, makePreparedDataDir } from './support/data-dir.ts'
import { ADMIN, type RunningLantern, spawnLantern, startLantern } from './support/start-lantern.ts'
import { takeDatabase, urlOf } from './support/with-database.ts'

/** The app and the demo are others' to test, and take their time. */
const BARE = { flags: ['--without-app'], settings: { DEMO: 'off' } }
const TIMEOUT_MS = 60_000

let dataDir = ''
let opened: RunningLantern[] = []
beforeEach(async () => {
  dataDir = await makePreparedDataDir()
  opened = []
})
afterEach(async () => {
  await Promise.all(opened.map((lantern) => lantern.stop('SIGTERM')))
  await rm(dataDir, { recursive: true })
})

async function start(): Promise<RunningLantern> {
  const lantern = await startLantern({ ...BARE, dataDir })
  opened.push(lantern)
  return lantern
}

/** A start that is to fail, until it has. */
async function failToStart(settings: Record<string, string> = {}): Promise<RunningLantern> {
  const lantern = await spawnLantern({ ...BARE, dataDir, settings: { ...BARE.settings, ...settings } })
  opened.push(lantern)
  await once(lantern.child, 'close')
  expect(lantern.child.exitCode).toBe(1)
  return lantern
}

test('starts, says how to get in, and stops cleanly', { timeout: TIMEOUT_MS }, async () => {
  await rm(dataDir, { recursive: true })
  dataDir = await makeDataDir()
  const first = await start()
  expect(first.output()).toContain(`${first.url}/sign-in#link=`)
  expect(first.output()).toContain(ADMIN.email)
  expect(first.output()).not.toContain(ADMIN.password)
  expect(first.output()).toContain('no vendor key is set')
  expect(first.output()).toContain(dataDir)
  expect((await fetch(`${first.serviceUrl}/api/feed`)).status).toBe(401)
  expect(await first.stop('SIGINT')).toBe(0)
  expect(first.output()).not.toContain('"event":"request"')

  const second = await start()
  expect(second.output()).not.toContain(ADMIN.email)
  expect(await second.stop('SIGTERM')).toBe(0)
})

test('refuses a second start on the same folder, naming both', { timeout: TIMEOUT_MS }, async () => {
  const first = await start()
  const second = await failToStart()
  expect(second.output().trimEnd()).toMatch(new RegExp(`^.*${dataDir} \\(process ${first.child.pid}\\).*$`))
  expect(await first.stop()).toBe(0)
})

test('starts again after kill -9, and knows who was signed in', { timeout: TIMEOUT_MS }, async () => {
  const killed = await start()
  const signedIn = await ask(killed, 'sign-in', { method: 'POST', body: JSON.stringify(ADMIN) })
  expect(signedIn.status).toBe(200)
  const cookie = signedIn.headers.getSetCookie().map((set) => set.split(';')[0])
  await killed.stop('SIGKILL')

  const next = await start()
  const session = await ask(next, 'session', { headers: { cookie: cookie.join('; ') } })
  expect(await session.json()).toMatchObject({ user: { email: ADMIN.email } })
  expect(await next.stop()).toBe(0)
})

test('starts right after kill -9 of it and its PostgreSQL together', { timeout: TIMEOUT_MS }, async () => {
  const lantern = await start()
  const [postmaster] = await findPostgres()
  lantern.child.kill('SIGKILL')
  process.kill(postmaster ?? expect.fail(), 'SIGKILL')
  await lantern.stop()
  const last = await start()
  expect(await last.stop()).toBe(0)
})

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'exits when its PostgreSQL ends by %s, so that a supervisor can restart it',
  {
    timeout: TIMEOUT_MS,
  },
  async (signal) => {
    const lantern = await start()
    const postmaster = await readPostmaster(join(dataDir, 'postgres/data'))
    process.kill(postmaster?.pid ?? expect.fail(), signal)
    await once(lantern.child, 'close')
    expect(lantern.child.exitCode).toBe(1)
    expect(lantern.output()).toContain('PostgreSQL ended unexpectedly')

    const next = await start()
    expect(await next.stop()).toBe(0)
  },
)

test('keeps its secrets from the processes that it starts', { timeout: TIMEOUT_MS }, async () => {
  const secrets = {
    SECRET: 'canary-secret-of-32-characters-or-more',
    UPSTREAM_API_KEY: 'canary-key',
    UPSTREAM_URL: 'http://127.0.0.1:9',
  }
  const lantern = await startLantern({ ...BARE, dataDir, settings: { ...BARE.settings, ...secrets } })
  opened.push(lantern)
  const environments = await readEnvironments(await findPostgres())
  expect(environments.length).toBeGreaterThan(1)
  for (const environment of environments) {
    expect(environment).not.toMatch(new RegExp(`canary|${ADMIN.password}`))
  }
  expect(environments[0]?.split('\0').filter(Boolean).sort()).toEqual([
    'LANG=C',
    'PATH=/usr/local/bin:/usr/bin:/bin',
    'TZ=UTC',
  ])
})

test('a service alone sends no messages, and the next dashboard takes its waiting messages', {
  timeout: TIMEOUT_MS,
}, async () => {
  const database = await takeDatabase('service')
  await database.query(`
    insert into delivery_destination (channel, fingerprint, sealed, masked)
      values ('email', sha256('\\x00'), '\\x00ff', 's…@corp.example');
    insert into delivery (destination_id, kind, content, next_attempt_at, created_at, touched_at)
    select id, 'test', '{"kind":"test","causes":[],"requestedBy":"Ada","link":"https://lantern.example"}', now(), now(), now()
      from delivery_destination`)
  const settings = { ...BARE.settings, SERVICE_DATABASE_URL: await urlOf(database) }
  const entry = fileURLToPath(new URL('../src/commands/service.ts', import.meta.url))
  const service = await spawnLantern({ dataDir, settings, command: [process.execPath, entry] })
  opened.push(service)
  await expect.poll(service.output, { timeout: TIMEOUT_MS / 2 }).toContain('earlier version')
  expect(service.output()).toContain('stores alert profiles and sends no messages')
  expect(await service.stop('SIGTERM')).toBe(0)
  expect((await database.query('select from delivery')).rowCount).toBe(1)

  opened.push(await startLantern({ ...BARE, dataDir, settings }))
  expect((await database.query('select from delivery')).rowCount).toBe(0)
})

test.each(['PORT', 'SERVICE_PORT'])('says which setting to change when %s is taken', async (name) => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const address = holder.address()
  const port = typeof address === 'object' ? String(address?.port) : expect.fail()
  const lantern = await failToStart({ [name]: port })
  expect(lantern.output()).toBe(`Port ${port} is taken: set ${name} to another\n`)
  holder.close()
})

test('says what a bad setting may be, and not what it was', async () => {
  const lantern = await failToStart({ UPSTREAM_URL: 'http://user:hunter2@vendor.example' })
  expect(lantern.output()).toMatch(/^UPSTREAM_URL must be an https address.*\n$/)
  expect(lantern.output()).not.toContain('hunter2')
})

async function ask({ url }: RunningLantern, path: string, init: RequestInit): Promise<Response> {
  const headers = { 'x-lantern': '1', 'content-type': 'application/json', ...init.headers }
  return fetch(`${url}/bff/${path}`, { ...init, headers })
}

/** The postmaster of the data folder, and its children: first itself. */
async function findPostgres(): Promise<number[]> {
  const { pid } = (await readPostmaster(join(dataDir, 'postgres/data'))) ?? expect.fail()
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return [pid, ...children.trim().split(' ').map(Number)]
}

/**
 * Read by the user whose processes they are: root itself may lack that right in a container. PostgreSQL ends some of its
 * processes at any moment.
 */
async function readEnvironments(pids: number[]): Promise<string[]> {
  const { uid, gid } = await stat(join(dataDir, 'postgres'))
  return pids.flatMap((pid) => {
    try {
      return execFileSync('cat', [`/proc/${pid}/environ`], { uid, gid, encoding: 'utf8' })
    } catch (error) {
      if (existsSync(`/proc/${pid}`)) throw error
      return []
    }
  })
}
