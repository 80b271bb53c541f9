import { execFile } from 'node:child_process'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { erasePerson } from '#bff/accounts/audit/erase-person.ts'
import { type AuditRecord, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { verifyAudit } from '#bff/accounts/audit/verify-audit.ts'
import { createLog } from '#bff/http/log.ts'
import { startRetention } from '#bff/retention.ts'
import { NOBODY } from '#database/embedded/postgres-user.ts'
import { readPostmaster } from '#database/embedded/postmaster.ts'
import { startCluster } from '#database/embedded/start-cluster.ts'
import { type EmbeddedPostgres, startEmbedded } from '#database/embedded/start-embedded.ts'
import { migrate } from '#database/migrate.ts'
import { type OpenDatabase, openDatabase } from '#database/open-database.ts'
import { environmentWith } from '#settings/settings.ts'
import { openBffDatabase, openerOfOwner } from '#start/open-migrated.ts'

const isRoot = process.getuid?.() === 0
const MIGRATIONS = new URL('../src/bff/migrations/', import.meta.url)
const SUPERUSER_PASSWORD = 'of-the-superuser'
const OLD_ADDRESS = '203.0.113.9'
const ACCOUNT = '0b9c9a6e-4c0b-4f57-9c40-4a1d6c1f0a11'
const EVENT: AuditRecord = {
  actor: ACCOUNT,
  action: 'view-created',
  route: 'POST /bff/views',
  object: 'v-1',
  address: '192.0.2.1',
  requestId: 'r-1',
}

let dataDir = ''
let embedded: EmbeddedPostgres
let runtime: OpenDatabase
beforeAll(async () => {
  const parent = await mkdtemp(join(tmpdir(), 'lantern-roles-'))
  await chmod(parent, 0o711)
  dataDir = join(parent, 'data')
  await makeOldFolder()
  embedded = await startEmbedded(dataDir)
  runtime = await openRuntime()
  return async () => {
    await runtime.close()
    await embedded.stop()
    await rm(parent, { recursive: true })
  }
}, 120_000)

test('the data of the version before is handed over, its audit records chained', async () => {
  const superuser = await openAs('lantern')
  const { rows: owners } = await superuser.query(`
    select distinct pg_get_userbyid(relowner) as owner, starts_with(relname, 'audit_') as "isAudit"
      from pg_class where relnamespace = 'public'::regnamespace order by owner`)
  const { rows: databases } = await superuser.query(
    `select datname, pg_get_userbyid(datdba) as owner from pg_database where datname like 'lantern%' order by 1`,
  )
  await superuser.close()
  expect(owners).toEqual([
    { owner: 'lantern_audit', isAudit: true },
    { owner: 'lantern_owner', isAudit: false },
  ])
  expect(databases).toEqual([
    { datname: 'lantern_bff', owner: 'lantern_owner' },
    { datname: 'lantern_service', owner: 'lantern_service' },
  ])

  const { rows } = await runtime.query(
    'select action, object_name, before, after, address from audit_event limit 2',
  )
  expect(rows).toEqual([
    { action: 'sign-in', object_name: null, before: null, after: null, address: OLD_ADDRESS },
    {
      action: 'user-changed',
      object_name: 'ada@example.com',
      before: '{"name":"a\\u0000","role":"viewer"}',
      after: '{"name":"b","role":"admin"}',
      address: null,
    },
  ])
  expect(await verifyAudit(runtime)).toMatchObject({ records: 3, faults: [] })
  const service = await openDatabase({ url: embedded.url('lantern_service') })
  expect((await service.query('select note from kept')).rows).toEqual([{ note: 'of the service' }])
  await service.close()
})

test('as root, PostgreSQL runs as its own user, which owns the data folder', async () => {
  const { stdout } = await promisify(execFile)('id', ['-u', ...(isRoot ? ['lantern-postgres'] : [])])
  const uid = Number(stdout)
  const data = join(embedded.folder, 'data')
  const postmaster = await readPostmaster(data)
  expect((await stat(`/proc/${postmaster?.pid}`)).uid).toBe(uid)
  const entries = await readdir(data, { recursive: true })
  const owners = await Promise.all(entries.map(async (name) => (await stat(join(data, name))).uid))
  expect([...new Set(owners)]).toEqual([uid])
  const handedOver = expect.stringContaining('its data, which was nobody’s, is its own now')
  expect(embedded.notice).toEqual(isRoot ? handedOver : null)
})

const DENIED = /permission denied|must be owner|must have the|cannot update view|cannot delete from view/
test.each([
  'create table loot (word text)',
  'create temporary table audit_head (number bigint, hash bytea)',
  'create schema loot',
  'create extension dblink',
  'alter table account add column loot text',
  'drop table account',
  'truncate account',
  `copy (select 1) to program 'id > /tmp/loot'`,
  `copy account from program 'id'`,
  `copy account to '/tmp/loot'`,
  `select pg_read_file('/etc/passwd')`,
  `select lo_import('/etc/passwd')`,
  `select pg_ls_dir('/')`,
  'insert into schema_migration values (9999)',
  `insert into audit_event (at, action, route) values ('2020-01-01', 'sign-in', 'x')`,
  `insert into audit_record (action, route) values ('sign-in', 'x')`,
  `insert into audit_link values (99, 99, '')`,
  'update audit_event set actor = null',
  'update audit_record set actor = null',
  `update audit_personal set name = ''`,
  'update audit_head set number = 0',
  'delete from audit_event',
  'delete from audit_record',
  'delete from audit_personal',
  'delete from audit_link',
  'truncate audit_record',
  'truncate audit_personal',
  'do $$ begin lock table audit_head in access exclusive mode; end $$',
  'select 1 from audit_head for update',
  'alter table audit_record disable trigger all',
  'drop trigger audit_record_chained on audit_record',
  'set session_replication_role = replica',
  'set role lantern_audit',
  'set role lantern_owner',
  'set role lantern',
  'set session authorization lantern',
  'alter role lantern_runtime superuser',
  `alter role lantern_owner password 'loot'`,
  'create role loot superuser',
  'grant lantern_audit to lantern_runtime',
  `create function loot() returns int language sql as 'select 1'`,
  `create or replace function chain_audit_record() returns trigger language plpgsql as 'begin return null; end'`,
  `alter function insert_audit_event() set search_path = loot`,
  `select erase_audited_person('${ACCOUNT}', '{}')`,
  `select prune_audit('2100-01-01', 1000, 'x')`,
  `alter system set archive_command = 'id'`,
])('the serving role may not: %s', async (statement) => {
  await expect(runtime.query(statement)).rejects.toThrow(DENIED)
})

test('the record that is written while serving is chained, and the owner cannot change it either', async () => {
  await recordAudit(runtime, EVENT)
  const owner = await openDatabase({ url: embedded.url('lantern_owner'), max: 1 })
  for (const statement of [
    'update audit_record set actor = null',
    'delete from audit_link',
    'truncate audit_personal',
    'alter table audit_record disable trigger all',
  ])
    await expect(owner.query(statement)).rejects.toThrow(DENIED)
  await erasePerson(owner, ACCOUNT, [])
  await owner.close()
  expect(await verifyAudit(runtime)).toMatchObject({ faults: [] })
})

test('the serving role may use the sequences of every table', async () => {
  // Numbers of identity columns need no right of their own.
  const { rows } = await runtime.query(
    `select relname from pg_class
      where relnamespace = current_schema()::regnamespace and not starts_with(relname, 'audit_')
        and case relkind when 'S' then not has_sequence_privilege(oid, 'usage') end
        and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'i')`,
  )
  expect(rows).toEqual([])
})

test('the serving role prunes the audit record as its owner, and only with the owner’s URL', async () => {
  const address = { url: embedded.url('lantern_runtime'), ownerUrl: embedded.url('lantern_owner') }
  const rights = { isSuperuser: false, mayMigrate: false }
  expect(openerOfOwner({ url: address.url }, rights)).toBeUndefined()
  const failures: unknown[] = []
  const log = { ...createLog(() => {}), error: (_: string, error: unknown) => failures.push(error) }
  const openOwner = openerOfOwner(address, rights)
  const pruning = startRetention({
    database: runtime,
    secret: '',
    retention: { auditDays: 365 },
    openOwner,
    log,
  })
  const oldest = () => runtime.query(`select from audit_record where at < '2021-01-01'`)
  await expect.poll(async () => (await oldest()).rowCount).toBe(0)
  await pruning.stop()
  expect(failures).toEqual([])
  expect(await verifyAudit(runtime)).toMatchObject({ faults: [] })
})

test('only the roles that serve, own or run the service connect', async () => {
  const superuser = await openAs('lantern')
  const { rows } = await superuser.query(
    `select distinct usename from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  expect(rows).toEqual([{ usename: 'lantern_runtime' }])
  const { rows: roles } = await superuser.query(
    `select rolname from pg_roles where rolsuper or rolcanlogin and rolname = 'lantern_audit'`,
  )
  expect(roles).toEqual([{ rolname: 'lantern' }])
  await superuser.close()
  const service = await openDatabase({ url: embedded.url('lantern_service'), max: 1 })
  await expect(service.query('create role loot')).rejects.toThrow(DENIED)
  await service.close()
  const elsewhere = embedded.url('lantern_service').replace(/lantern_service$/, 'lantern_bff')
  await expect(openDatabase({ url: elsewhere })).rejects.toThrow('permission denied for database')
})

test('a command verifies the record, and ends with a code that says what it found', async () => {
  expect(await runNpm('audit', ['verify'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('as they were written'),
  })
  const superuser = await openAs('lantern')
  await superuser.query(
    `set session_replication_role = replica; update audit_record set route = 'x' where action = 'view-created'`,
  )
  await superuser.close()
  const { code, stdout } = await runNpm('audit', ['verify'])
  expect(code).toBe(1)
  expect(stdout).toMatch(/^Record \d \(id \d, view-created of .*\) was altered$/m)
  expect(await runNpm('audit', ['vanish'])).toMatchObject({ code: 2 })
})

test('the next start takes back what a role could change of itself', async () => {
  await runtime.query(`alter role lantern_runtime password 'loot'`)
  await runtime.query('alter role lantern_runtime set statement_timeout = 1')
  await runtime.close()
  await embedded.stop()
  embedded = await startEmbedded(dataDir)
  runtime = await openRuntime()
  expect((await runtime.query('select current_user as who')).rows).toEqual([{ who: 'lantern_runtime' }])
  expect(embedded.notice).toBeNull()
})

async function openRuntime(): Promise<OpenDatabase> {
  const address = { url: embedded.url('lantern_runtime'), ownerUrl: embedded.url('lantern_owner') }
  const { database, rights } = await openBffDatabase(address)
  expect(rights).toEqual({ isSuperuser: false, mayMigrate: false })
  return database
}

async function openAs(user: string): Promise<OpenDatabase> {
  const port = (await readPostmaster(join(embedded.folder, 'data')))?.port
  return openDatabase({
    url: `postgres://${user}:${SUPERUSER_PASSWORD}@127.0.0.1:${port}/lantern_bff`,
    max: 1,
  })
}

async function runNpm(command: string, args: readonly string[]) {
  const file = fileURLToPath(new URL(`../src/commands/${command}.ts`, import.meta.url))
  const env = environmentWith({ DATA_DIR: dataDir, DATABASE_URL: '', DATABASE_OWNER_URL: '' })
  return promisify(execFile)(process.execPath, [file, ...args], { env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  )
}

/** As the version before left it: a superuser's databases, in a folder of nobody's. */
async function makeOldFolder(): Promise<void> {
  const folder = join(dataDir, 'postgres')
  await mkdir(folder, { recursive: true })
  await chmod(dataDir, 0o711)
  if (isRoot) await chown(folder, NOBODY.uid, NOBODY.gid)
  await writeFile(join(dataDir, 'postgres-password'), SUPERUSER_PASSWORD, { mode: 0o600 })
  const cluster = await startCluster({ folder, password: SUPERUSER_PASSWORD, log: () => {} })
  const ask = async (database: string, run: (db: OpenDatabase) => Promise<unknown>) => {
    const db = await openDatabase({ url: cluster.url(database), max: 1 })
    await run(db)
    await db.close()
  }
  await ask('postgres', (db) => db.query('create database lantern_bff'))
  await ask('postgres', (db) => db.query('create database lantern_service'))
  await ask('lantern_service', (db) => db.query(`create table kept as select 'of the service' as note`))
  await ask('lantern_bff', async (db) => {
    await migrate(db, await migrationsBefore('0025'))
    await db.query(
      `insert into audit_event (at, actor, action, route, address)
       values ('2020-01-01', $1, 'sign-in', 'POST /bff/sign-in', $2)`,
      [ACCOUNT, OLD_ADDRESS],
    )
    await db.query(
      `insert into audit_event (action, route, object, object_name, before, after)
       values ('user-changed', 'PUT /bff/users/:id', $1, 'ada@example.com', $2, $3),
              ('view-changed', 'PUT /bff/views/:id', 'v-1', 'Mine', null, '{"name":"Ours"}')`,
      [ACCOUNT, '{"name":"a\\u0000","role":"viewer"}', '{"name":"b","role":"admin"}'],
    )
  })
  await cluster.stop()
}

async function migrationsBefore(number: string): Promise<URL> {
  const folder = join(dataDir, 'migrations')
  for (const name of await readdir(MIGRATIONS))
    if (name < number) await cp(new URL(name, MIGRATIONS), join(folder, name))
  return pathToFileURL(folder)
}
