import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { awaitDatabase, isPooledByTransaction } from '#database/await-database.ts'
import { openDatabase } from '#database/open-database.ts'
import { openTunnel } from '#test/support/open-tunnel.ts'
import { spawnLantern } from '#test/support/start-lantern.ts'
import { databaseUrl, takeDatabase } from '#test/support/with-database.ts'

const PASSWORD = 'hunter2-of-the-tests'

/** A database, and a role that signs in to it. */
async function takeRole(attributes = '') {
  const database = await takeDatabase('empty')
  const { rows } = await database.query('select current_database() as name')
  const name = String(Object(rows[0]).name)
  const role = `role_${name}`
  const admin = await openDatabase({ url: databaseUrl('postgres'), max: 1 })
  await admin.query(`create role ${role} login password '${PASSWORD}' ${attributes}`)
  onTestFinished(async () => {
    await admin.query(`drop role ${role}`)
    await admin.close()
  })
  const url = new URL(databaseUrl(name))
  url.username = role
  url.password = PASSWORD
  return { url, role, name }
}

/** What a start says that fails. */
async function failToStart(settings: Record<string, string>, cwd = process.cwd()): Promise<string> {
  const lantern = await spawnLantern({
    settings: { UPSTREAM_URL: 'http://127.0.0.1:9', ...settings },
    flags: ['--without-app'],
    cwd,
  })
  await once(lantern.child, 'close')
  expect(await lantern.stop()).toBe(1)
  expect(lantern.output()).not.toContain(PASSWORD)
  return lantern.output()
}

test.each([
  [
    'a wrong password',
    '',
    (url: URL) => {
      url.password = `${PASSWORD}-not`
    },
    /^The database at 127\.0\.0\.1:\d+ does not accept the password of role_\S+: set DATABASE_URL to the right one\n$/,
  ],
  [
    'no such database',
    '',
    (url: URL) => {
      url.pathname = '/nowhere'
    },
    /^The database at \S+ has no database nowhere: make it \(create database nowhere\), or set DATABASE_URL to another\n$/,
  ],
  [
    'no connection left',
    'connection limit 0',
    () => {},
    /^The database at \S+ has no connection left: too many connections for role .* raise its max_connections\n$/,
  ],
])('a start with %s says so in one line', async (_, attributes, change, line) => {
  const { url } = await takeRole(attributes)
  change(url)
  expect(await failToStart({ DATABASE_URL: url.href })).toMatch(line)
})

test('a start with too few rights says so in one line', async () => {
  const { url } = await takeRole()
  expect(await failToStart({ DATABASE_URL: url.href })).toMatch(
    /^The database lacks 0001-sign-in\.sql, and DATABASE_URL may not change it: run `npm run -s migrate`.*\n$/,
  )
  expect(await failToStart({ DATABASE_URL: url.href, DATABASE_OWNER_URL: url.href })).toMatch(
    /^The database at \S+ gives role_\S+ too few rights: permission denied for schema public\. deploy\/roles\.sql has .*\n$/,
  )
})

test('credentials of a proxy are a secret in .env', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lantern-env-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, '.env')
  await writeFile(file, `HTTPS_PROXY=http://ada:${PASSWORD}@proxy.example:3128\n`)
  await chmod(file, 0o644)
  expect(await failToStart({}, folder)).toBe(
    'HTTPS_PROXY must be in a file that others cannot read: chmod 600 .env\n',
  )
})

test('a start without room to write says so in one line', async () => {
  expect(await failToStart({ DATA_DIR: '/dev/full/lantern' })).toMatch(
    /^DATA_DIR cannot be made or written to: .*\n$/,
  )
})

test('waits for a database that does not answer yet, and says so once', async () => {
  const address = new URL(inject('clusterUrl'))
  const tunnel = await openTunnel({ host: address.hostname, port: Number(address.port) })
  const url = new URL(databaseUrl('postgres'))
  url.host = `127.0.0.1:${tunnel.port}`
  await tunnel.cut()
  const said: string[] = []
  const waiting = awaitDatabase({ url: url.href, setting: 'DATABASE_URL', say: (line) => said.push(line) })
  await vi.waitFor(() => expect(said).toHaveLength(1))
  setTimeout(() => void tunnel.restore(), 1_200)
  await waiting
  const place = `The database at 127.0.0.1:${tunnel.port}`
  expect(said).toEqual([`${place} does not answer yet; waiting up to 60 s`])

  await tunnel.cut()
  const gone = awaitDatabase({ url: url.href, setting: 'DATABASE_URL', say: () => {}, waitMs: 700 })
  await expect(gone).rejects.toThrow(
    `${place} does not answer (ECONNREFUSED): start it, or set DATABASE_URL to where it is`,
  )
})

test('knows a pooler that gives a connection to more than one client', async () => {
  const database = await takeDatabase('empty')
  expect(await isPooledByTransaction(database)).toBe(false)
  const client = await database.pool.connect()
  onTestFinished(() => client.release())
  const shared = { query: (text: string) => client.query(text), release: () => {} }
  expect(await isPooledByTransaction({ pool: { connect: async () => shared } })).toBe(true)
})
