import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { TableHasher } from '#backup/table-checksum.ts'
import { listAuditEvents } from '#bff/accounts/audit/audit-queries.ts'
import { verifyAudit } from '#bff/accounts/audit/verify-audit.ts'
import { listMigrations, migrate, migrateLike } from '#database/migrate.ts'
import { type OpenDatabase, openDatabase } from '#database/open-database.ts'
import { parseSettings } from '#settings.ts'
import { backUp } from '#start/back-up.ts'
import { openMigrated, schemaOf } from '#start/open-migrated.ts'
import { restore } from '#start/restore.ts'
import { digestDatabase, readSchema } from '#test/support/digest-database.ts'
import { databaseUrl } from '#test/support/with-database.ts'

const PASSPHRASE = 'what the tests seal with'
const WORD = 'lose-what-is-there'
const SECRET = 'the secret of the test, long enough'
/** Values that a way through other types, zones or encodings would change. */
const AWKWARD = `
  insert into account (email, name, role, created_at, preferences)
  values ('a@x.example', E'\\u2028 "\\\\u0000" {a,"b"}\\n\\t\\U0001F56F', 'admin', '2026-03-29 01:59:59.999999+00',
          '{"n": 12345678901234567890.10, "t": "\\\\u0001\\u20ac"}');
  insert into account (email, name, role, created_at) values ('b@x.example', '', 'viewer', '0044-03-15 12:00:00.000001+00 BC');
  insert into session (token_hash, account_id, expires_at, sealed_id_token)
  select sha256('\\x00'), id, 'infinity', '\\x00ff0a5c' from account where email = 'a@x.example';
  insert into triage_event (account_id, who, action, threat_ids, before)
  values ('x', 'y', 'read', array['a,b', '{}', 'NULL', '', E'\\n"\\\\'], '[]'), ('x', 'y', 'undo', '{}', '[]');
  update triage_event set undone_by = 2 where id = 1;
  insert into upstream_call (id, at, key_fingerprint, route_set, route, priority)
    overriding system value values (41, now(), '\\x01', 'v1', 'x', 'person');
  insert into window_threat (id, sorted_at, threat, terms, searched_text) values ('t', now(), '{"publishedAt":null}', '{}', 'a b');
  insert into delivery_cause values ('watch', 'w', E'\\u2028', 'paused');
  insert into delivery_destination (channel, fingerprint, sealed, masked) values ('a', sha256('\\x00'), '\\x00ff', '…');
  insert into delivery (destination_id, kind, state, is_open, next_attempt_at, created_at, touched_at)
  select id, 'matches', 'heldBack', true, now(), now(), now() from delivery_destination;
  insert into delivery_match (event, cause_kind, cause_id, destination_id, threat_id, threat, delivery_id, matched_at)
  select 'e', 'watch', 'w', destination_id, 't', '{"title":"\\u2028"}', id, now() from delivery;
  insert into audit_event (actor, action, route, address) select id, 'sign-in', 'x', '192.0.2.1' from account;
  select nextval('upstream_call_id_seq'), nextval('upstream_call_id_seq'), nextval('window_revision')`

let folder = ''
let file = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lantern-restore-'))
  file = join(folder, 'a.backup')
  onTestFinished(() => rm(folder, { recursive: true }))
})

test('every type, key and sequence comes through as it was', async () => {
  const [from, to] = [await makePlace({ isFilled: true }), await makePlace()]
  await from.backUp()
  await to.restore()
  const digests = await digestDatabase(from.url)
  expect(digests).toMatchObject({ account: expect.stringMatching(/^2 rows/), upstream_call_id_seq: '2 true' })
  expect(await digestDatabase(to.url)).toEqual(digests)
  expect(await readSchema(to.url)).toEqual(await readSchema(from.url))
  expect(await readFile(join(to.dataDir, 'secret'), 'utf8')).toBe(SECRET)
  expect((await stat(join(to.dataDir, 'secret'))).mode & 0o777).toBe(0o600)
})

test('a restore stands in the audit record, in the chain, each time', async () => {
  const [from, to] = [await makePlace({ isFilled: true }), await makePlace()]
  await from.backUp()
  const noted = await from.ask(verifyAudit)
  await to.restore()
  await to.backUp()
  const again = await makePlace()
  await again.restore()

  const verdict = await again.ask((db) => verifyAudit(db, noted.last ?? undefined))
  expect(verdict).toMatchObject({ records: noted.records + 2, faults: [] })
  const { events } = await again.ask((db) => listAuditEvents(db, { timeZone: 'UTC' }, undefined))
  for (const event of events.slice(0, 2))
    expect(event).toMatchObject({
      ...{ actor: null, route: 'npm run restore', address: expect.stringMatching(/.+@.+/) },
      after: { backupOf: expect.stringMatching(/^20/), rows: { dashboard: expect.any(Number) } },
    })
})

test('a backup of an older schema is restored as it was, then brought up to date', async () => {
  const { migrations } = schemaOf('bff')
  const versions = (await listMigrations(migrations)).map(({ version }) => version)
  const [from, to] = [await makePlace(), await makePlace()]
  await from.ask((db) => migrateLike(db, migrations, versions.slice(0, -1)))
  await from.ask((db) => db.query('alter table schema_migration drop column checksum'))
  await from.ask((db) =>
    db.query(`insert into account (email, name, role) values ('a@x.example', 'a', 'admin')`),
  )
  await from.backUp()
  await to.restore()
  await from.ask((db) => migrate(db, migrations))
  const { schema_migration: _, ...restored } = await digestDatabase(to.url)
  expect(await digestDatabase(from.url)).toMatchObject(restored)
  expect(await readSchema(to.url)).toEqual(await readSchema(from.url))
})

test('a backup leaves out on request what is read again, and what opens other things', async () => {
  const [from, to] = [await makePlace({ isFilled: true }), await makePlace()]
  const said = await from.backUp({ hasSecrets: false, hasWindow: false, passphrase: '' })
  expect(said.join()).toMatch(/not sealed.*hashes of passwords.*lacks SECRET.*lacks the stored threats/)
  expect((await to.restore({ passphrase: '' })).join()).toMatch(/no stored threats.*no SECRET/)
  const digests = await digestDatabase(to.url)
  expect(digests).toEqual({ ...(await digestDatabase(from.url)), window_threat: '0 rows ' })
  expect(await readdir(to.dataDir)).toEqual([])
})

test('what is there is replaced by its word alone, which says what is lost', async () => {
  const [from, to] = [await makePlace({ isFilled: true }), await makePlace({ isFilled: true })]
  await from.ask((db) => db.query(`delete from account where email = 'b@x.example'`))
  await writeFile(join(to.dataDir, 'secret'), 'another', { mode: 0o600 })
  await from.backUp()
  const before = await digestDatabase(to.url)
  for (const replace of [null, 'yes'])
    await expect(to.restore({ replace })).rejects.toThrow(
      /^Nothing was changed\. This would be lost: of the dashboard accounts 2, .*audit records 2; .*secret.*--replace lose-what-is-there$/,
    )
  expect(await digestDatabase(to.url)).toEqual(before)
  await to.restore({ replace: WORD })
  expect(await digestDatabase(to.url)).toEqual(await digestDatabase(from.url))
  expect(await readFile(join(to.dataDir, 'secret'), 'utf8')).toBe(SECRET)
})

test('nothing is taken from a database that is in use, or that is of something else', async () => {
  const [from, to] = [await makePlace({ isFilled: true }), await makePlace({ isFilled: true })]
  await from.backUp()
  const user = await openDatabase({ url: to.url, max: 1 })
  await expect(to.restore({ replace: WORD })).rejects.toThrow(/is in use \(connections: 1\): stop Lantern/)
  await user.query('drop schema public cascade; create schema public; create table shop ()')
  await user.close()
  await expect(to.restore({ replace: WORD })).rejects.toThrow('holds tables of something else')
  expect(await digestDatabase(to.url)).toEqual({ shop: '0 rows ' })
})

test('what was altered anywhere, cut off, or is sealed with another passphrase changes nothing', async () => {
  const [from, to] = [await makePlace({ isFilled: true }), await makePlace()]
  await from.backUp()
  const sealed = await readFile(file)
  const open = join(folder, 'open.backup')
  await from.backUp({ passphrase: '', hasSecrets: false, file: open })
  const faults = [
    ...damage(sealed).map((bytes) => ({
      bytes,
      said: /altered or is cut off$|passphrase.*altered$|no backup of Lantern/,
    })),
    ...damage(await readFile(open)).map((bytes) => ({
      bytes,
      said: /altered or is cut off$|no backup of Lantern|newer Lantern/,
    })),
  ]
  expect(faults.length).toBeGreaterThan(20)
  for (const { bytes, said } of faults) {
    await writeFile(file, bytes)
    await expect(to.restore(), bytes.toString('latin1', 0, 40)).rejects.toThrow(said)
  }
  await writeFile(file, sealed)
  await expect(to.restore({ passphrase: 'another passphrase' })).rejects.toThrow('with another passphrase')
  await expect(to.restore({ passphrase: '' })).rejects.toThrow('is sealed: set BACKUP_PASSPHRASE')
  await expect(to.restore({ file: join(folder, 'none') })).rejects.toThrow('cannot be read')
  expect(await digestDatabase(to.url)).toEqual({})
})

test('a file that was made up changes nothing: neither rows that PostgreSQL reads otherwise, nor names', async () => {
  const [from, to] = [await makePlace({ isFilled: true }), await makePlace()]
  await from.backUp({ passphrase: '', hasSecrets: false })
  const bytes = await readFile(file)
  const start = bytes.indexOf('\n') + 1
  const text = gunzipSync(bytes.subarray(start)).toString()
  const make = (change: (text: string) => string) =>
    writeFile(file, Buffer.concat([bytes.subarray(0, start), gzipSync(withChecksums(change(text)))]))

  await make((lines) => lines.replace('2026-03-29 01:59:59.999999+00', '2026-03-29 02:59:59.999999+01'))
  await expect(to.restore({ passphrase: '' })).rejects.toThrow('the rows of account are others')
  await make((lines) =>
    lines.replace('"table","name":"account"', '"table","name":"account\\"; drop table x"'),
  )
  await expect(to.restore({ passphrase: '' })).rejects.toThrow('is not as its schema has it')
  await make((lines) => lines.replace('"email","name"', '"email","name\\") select 1"'))
  await expect(to.restore({ passphrase: '' })).rejects.toThrow('is not as its schema has it')
  await make((lines) => lines.replace('"viewer"', '"emperor"'))
  await expect(to.restore({ passphrase: '' })).rejects.toThrow(/^PostgreSQL: .*account_role_check/)
  await make((lines) => lines.replace(/^\{"part":"table","name":"visit".*\n(?:\[.*\n)*.*\n/m, ''))
  await expect(to.restore({ passphrase: '' })).rejects.toThrow('lacks tables of its schema')
  expect(await digestDatabase(to.url)).toEqual({})
  await make((lines) => lines)
  await to.restore({ passphrase: '' })
})

test('a backup of a newer Lantern is refused', async () => {
  const [from, to] = [await makePlace({ isFilled: true }), await makePlace()]
  await from.ask((db) => db.query(`insert into schema_migration values (9999, 'x')`))
  await from.backUp()
  await expect(to.restore()).rejects.toThrow(
    /made by a newer Lantern \(.*, with migration 9999 of the dashboard’s/,
  )
  await writeFile(file, 'lantern-backup 2 something new\n')
  await expect(to.restore()).rejects.toThrow('made by a newer Lantern (format 2)')
  expect(await digestDatabase(to.url)).toEqual({})
})

test('a backup wants a passphrase, something to back up, and a file that is nothing else', async () => {
  const from = await makePlace()
  await expect(from.backUp({ passphrase: '' })).rejects.toThrow(
    /^BACKUP_PASSPHRASE.*must be set.*--without-secrets/,
  )
  await expect(from.backUp({ passphrase: 'short' })).rejects.toThrow('12 characters or more')
  await expect(from.backUp()).rejects.toThrow('nothing to back up')
  await writeFile(file, 'a letter')
  await expect(from.backUp()).rejects.toThrow('is no backup of Lantern’s: name another file')
  expect(await readdir(folder)).toEqual(['a.backup'])
})

/** The lines with checksums that are right for them. */
function withChecksums(text: string): string {
  let hasher = new TableHasher()
  const lines = text.split('\n').map((line) => {
    if (line.startsWith('[')) hasher.add(line)
    if (line.startsWith('{"part":"table"')) hasher = new TableHasher()
    return line.startsWith('{"part":"checksum"')
      ? JSON.stringify({ part: 'checksum', ...hasher.checksum })
      : line
  })
  return lines.join('\n')
}

/** A byte changed, one lost, the end lost: here and there. */
function damage(bytes: Buffer): Buffer[] {
  const places = [3, 15, 16, 70, 100, bytes.length >> 1, bytes.length - 20, bytes.length - 2]
  return places.flatMap((at) => {
    const flipped = Buffer.from(bytes)
    flipped[at] = (flipped[at] ?? 0) ^ 1
    return [flipped, bytes.subarray(0, at), Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])]
  })
}

type Choice = {
  passphrase?: string
  file?: string
  replace?: string | null
  hasSecrets?: boolean
  hasWindow?: boolean
}

/** A dashboard's database with its folder: empty, or with the schema of today and a few rows. */
async function makePlace({ isFilled = false } = {}) {
  const name = `restore_${process.pid}_${Math.random().toString(36).slice(2)}`
  const url = databaseUrl(name)
  const administer = async (statement: string) => {
    const admin = await openDatabase({ url: databaseUrl('postgres'), max: 1 })
    await admin.query(statement)
    await admin.close()
  }
  await administer(`create database ${name}`)
  onTestFinished(() => administer(`drop database ${name} with (force)`))
  const dataDir = await mkdtemp(join(tmpdir(), 'lantern-restore-data-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const ask = async <T>(run: (db: OpenDatabase) => Promise<T>) => {
    const database = await openDatabase({ url, max: 1 })
    try {
      return await run(database)
    } finally {
      await database.close()
    }
  }
  if (isFilled) {
    const database = await openMigrated('bff', url)
    await database.query(AWKWARD)
    await database.close()
    await writeFile(join(dataDir, 'secret'), SECRET, { mode: 0o600 })
  }
  const settingsWith = (passphrase = PASSPHRASE) =>
    parseSettings({
      DATABASE_URL: url,
      UPSTREAM_URL: 'https://api.vendor.example',
      DATA_DIR: dataDir,
      BACKUP_PASSPHRASE: passphrase,
    })
  return {
    url,
    dataDir,
    ask,
    async backUp({ passphrase, hasSecrets = true, hasWindow = true, file: to = file }: Choice = {}) {
      const said: string[] = []
      const command = { name: 'backup', file: to, hasSecrets, hasWindow } as const
      await backUp(settingsWith(passphrase), command, { notify: (line) => said.push(line) })
      return said
    },
    async restore({ passphrase, replace = null, file: from = file }: Choice = {}) {
      const said: string[] = []
      await restore(
        settingsWith(passphrase),
        { name: 'restore', file: from, replace },
        { notify: (line) => said.push(line) },
      )
      return said
    },
  }
}
