import { execFile } from 'node:child_process'
import { chmod, chown, cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { type AuditRecord, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { verifyAudit } from '#bff/accounts/audit/verify-audit.ts'
import { NOBODY } from '#database/embedded/postgres-user.ts'
import { type Cluster, startCluster } from '#database/embedded/start-cluster.ts'
import { migrate } from '#database/migrate.ts'
import { type OpenDatabase, openDatabase } from '#database/open-database.ts'
import { stopCause } from '#delivery/causes.ts'
import { deleteOldDeliveries } from '#delivery/prune-deliveries.ts'
import { environmentWith, parseSettings } from '#settings/settings.ts'
import { backUp } from '#start/back-up.ts'
import { openBffDatabase } from '#start/open-migrated.ts'
import { restore } from '#start/restore.ts'
import { aMatch, createLedger, enqueueTo, PROFILE, scriptChannel } from '#test/support/delivery/deliveries.ts'
import { digestDatabase } from '#test/support/digest-database.ts'
import { readRoleStatements } from '#test/support/read-role-statements.ts'
import { startLantern } from '#test/support/start-lantern.ts'

const MIGRATIONS = new URL('../../src/bff/migrations/', import.meta.url)
const OWNER_ALONE = { isSuperuser: false, mayMigrate: true }
const EVENT: AuditRecord = {
  actor: null,
  action: 'sign-in-failed',
  route: 'POST /bff/sign-in',
  object: null,
  address: '192.0.2.1',
  requestId: 'r-1',
}

let folder = ''
let cluster: Cluster
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lantern-external-'))
  await chmod(folder, 0o755)
  if (process.getuid?.() === 0) await chown(folder, NOBODY.uid, NOBODY.gid)
  cluster = await startCluster({ folder, password: 'of-the-administrator', log: () => {} })
  return async () => {
    await cluster.stop()
    await rm(folder, { recursive: true })
  }
}, 60_000)

test('a database of before works as it did, and then with the roles of deploy/roles.sql', async () => {
  await administer(`create role team login password 'x'`)
  await administer('create database lantern owner team')
  await migrateBefore('0025', urlOf('team'))

  const asBefore = await openBffDatabase({ url: urlOf('team') })
  expect(asBefore.rights).toEqual(OWNER_ALONE)
  await recordAudit(asBefore.database, EVENT)
  expect(await verifyAudit(asBefore.database)).toMatchObject({ records: 1, faults: [] })
  await asBefore.database.close()

  for (const statement of await readRoleStatements('x')) {
    if (/lantern_owner login|create database/.test(statement)) continue
    await administer(statement.replaceAll('lantern_owner', 'team'))
  }
  expect(await runMigrate(urlOf('team'))).toMatchObject({ code: 0 })
  const { database, rights } = await openBffDatabase({ url: urlOf('lantern_runtime') })
  expect(rights).toEqual({ isSuperuser: false, mayMigrate: false })
  await recordAudit(database, EVENT)
  expect(await verifyAudit(database)).toMatchObject({ records: 2, faults: [] })
  await expect(database.query('delete from audit_record')).rejects.toThrow('permission denied')
  await expect(database.query('create table loot ()')).rejects.toThrow('permission denied')
  await database.close()
  await dropAll(['team', 'lantern_runtime', 'lantern_audit'])
})

test('a role without the right to migrate names the command, and serves after it ran', {
  timeout: 120_000,
}, async () => {
  for (const statement of await readRoleStatements('x')) await administer(statement)
  const start = () => openBffDatabase({ url: urlOf('lantern_runtime') })
  await expect(start()).rejects.toThrow('lacks 0001-sign-in.sql')
  await migrateBefore('0025', urlOf('lantern_owner'))
  await administer('grant select on schema_migration to lantern_runtime', 'lantern')
  await expect(start()).rejects.toThrow(
    /lacks 0025-\S+\.sql, .*DATABASE_URL may not change it: run `npm run -s migrate` with DATABASE_OWNER_URL/,
  )
  expect(await runMigrate('')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('DATABASE_OWNER_URL must be set'),
  })
  expect(await runMigrate(urlOf('lantern_owner'))).toMatchObject({ code: 0 })

  const { database } = await start()
  await recordAudit(database, EVENT)
  await tellAndForget(database)
  for (const [role, said] of [
    ['lantern_runtime', ''],
    ['lantern_owner', 'DATABASE_URL may change the schema, which is more than serving needs'],
  ] as const) {
    const lantern = await startLantern({
      settings: {
        DATABASE_URL: urlOf(role),
        UPSTREAM_URL: 'http://127.0.0.1:9',
        AUDIT_RETENTION_DAYS: '30',
      },
      flags: ['--without-app'],
    })
    const [rights = ''] = /^ {2}Rights .*$/m.exec(lantern.output()) ?? []
    expect(rights).toContain(said)
    expect(rights === '').toBe(said === '')
    expect(lantern.output().includes('run `npm run -s audit -- prune`')).toBe(role === 'lantern_runtime')
    expect(await lantern.stop()).toBe(0)
  }
  const owner = await openDatabase({ url: urlOf('lantern_owner'), max: 1 })
  for (const one of [database, owner])
    await expect(one.query('update audit_record set actor = null')).rejects.toThrow('permission denied')
  await Promise.all([database.close(), owner.close()])
})

test('the serving role makes a backup, and the owner restores it with deploy/roles.sql', async () => {
  for (const statement of [
    'drop database if exists lantern with (force)',
    ...(await readRoleStatements('x')),
  ])
    await administer(statement).catch((error: Error) => expect(error.message).toMatch(/already exists/))
  const dataDir = join(folder, 'data')
  const file = join(folder, 'lantern.backup')
  const settingsWith = (urls: Record<string, string>) =>
    parseSettings({
      ...urls,
      UPSTREAM_URL: 'http://127.0.0.1:9',
      DATA_DIR: dataDir,
      BACKUP_PASSPHRASE: 'what the tests seal with',
    })
  const both = { url: urlOf('lantern_runtime'), ownerUrl: urlOf('lantern_owner') }
  const { database: before } = await openBffDatabase(both)
  await recordAudit(before, EVENT)
  await before.query(`insert into account (email, name, role) values ('a@x.example', 'a', 'admin')`)
  await before.close()

  const quiet = { notify: () => {} }
  const command = { name: 'backup', file, hasSecrets: true, hasThreats: true } as const
  await backUp(settingsWith({ DATABASE_URL: both.url }), command, quiet)
  const digests = await digestDatabase(cluster.url('lantern'))
  const into = {
    name: 'restore',
    file,
    replace: 'lose-what-is-there',
    isUnsealedAllowed: false,
  } as const
  await expect(restore(settingsWith({ DATABASE_URL: both.url }), into, quiet)).rejects.toThrow(
    /^DATABASE_URL may not.*DATABASE_OWNER_URL/,
  )
  const owned = settingsWith({ DATABASE_URL: both.url, DATABASE_OWNER_URL: both.ownerUrl })
  await restore(owned, into, quiet)
  expect(await digestDatabase(cluster.url('lantern'))).toEqual(digests)

  const { database, rights } = await openBffDatabase({ url: both.url })
  expect(rights).toEqual({ isSuperuser: false, mayMigrate: false })
  await recordAudit(database, EVENT)
  expect(await verifyAudit(database)).toMatchObject({ records: 3, faults: [] })
  await expect(database.query('delete from audit_record')).rejects.toThrow('permission denied')
  await database.close()
})

function urlOf(role: string): string {
  return cluster.url('lantern').replace(/\/\/.*@/, `//${role}:x@`)
}

async function administer(statement: string, name = 'postgres'): Promise<void> {
  await withDatabase(cluster.url(name), (db) => db.query(statement))
}

async function dropAll(roles: readonly string[]): Promise<void> {
  await administer('drop database lantern with (force)')
  for (const role of roles) await administer(`drop role ${role}`)
}

async function withDatabase(url: string, run: (db: OpenDatabase) => Promise<unknown>): Promise<void> {
  const database = await openDatabase({ url, max: 1 })
  await run(database)
  await database.close()
}

/** All that is done to the ledger of messages while serving. */
async function tellAndForget(database: OpenDatabase): Promise<void> {
  const { access, createWorker, pass, readNow } = createLedger(database)
  const slack = scriptChannel()
  await enqueueTo(database, [aMatch('t1')], access)
  await createWorker({ slack }).work()
  await database.transaction((tx) => stopCause(tx, PROFILE, 'deleted'))
  pass(31 * 86_400_000)
  const before = new Date((await readNow()).getTime() - 30 * 86_400_000).toISOString()
  expect(await deleteOldDeliveries(database, before, 10)).toBe(1)
  expect(slack.sent).toHaveLength(1)
}

async function migrateBefore(number: string, url: string): Promise<void> {
  const earlier = join(folder, 'migrations')
  for (const name of await readdir(MIGRATIONS))
    if (name < number) await cp(new URL(name, MIGRATIONS), join(earlier, name))
  await withDatabase(url, (db) => migrate(db, pathToFileURL(earlier)))
}

async function runMigrate(url: string) {
  const file = fileURLToPath(new URL('../../src/commands/migrate.ts', import.meta.url))
  const env = environmentWith({ DATABASE_OWNER_URL: url, DATABASE_URL: '' })
  return promisify(execFile)(process.execPath, [file], { env }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  )
}
