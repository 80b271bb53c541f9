import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { TableHasher } from '#backup/table-checksum.ts'
import { listAuditEvents } from '#bff/accounts/audit/audit-queries.ts'
import { verifyAudit } from '#bff/accounts/audit/verify-audit.ts'
import { listMigrations, migrate, migrateLike } from '#database/migrate.ts'
import { openDatabase } from '#database/open-database.ts'
import { schemaOf } from '#start/open-migrated.ts'
import { digestDatabase, readSchema } from '#test/support/digest-database.ts'
import { makeBackupFile, makePlace, SECRET } from '#test/support/restore-place.ts'

const WORD = 'lose-what-is-there'

let folder = ''
let file = ''
beforeEach(async () => {
  const made = await makeBackupFile()
  folder = made.folder
  file = made.file
})

test('every type, key and sequence comes through as it was', async () => {
  const [from, to] = [await makePlace(file, { isFilled: true }), await makePlace(file)]
  await from.backUp()
  await to.restore()
  const digests = await digestDatabase(from.url)
  expect(digests).toMatchObject({ account: expect.stringMatching(/^2 rows/), upstream_call_id_seq: '2 true' })
  expect(await digestDatabase(to.url)).toEqual(digests)
  expect(await readSchema(to.url)).toEqual(await readSchema(from.url))
  expect(await readFile(join(to.dataDir, 'secret'), 'utf8')).toBe(SECRET)
  expect((await stat(join(to.dataDir, 'secret'))).mode & 0o777).toBe(0o600)
})

test('each restore adds a record to the chain of the audit record', async () => {
  const [from, to] = [await makePlace(file, { isFilled: true }), await makePlace(file)]
  await from.backUp()
  const before = await from.ask(verifyAudit)
  await to.restore()
  await to.backUp()
  const again = await makePlace(file)
  await again.restore()

  expect(await again.ask(verifyAudit)).toEqual({ records: before.records + 2, faults: [] })
  const { events } = await again.ask((db) => listAuditEvents(db, { timeZone: 'UTC' }, undefined))
  for (const event of events.slice(0, 2))
    expect(event).toMatchObject({
      actor: null,
      route: 'npm run restore',
      address: expect.stringMatching(/.+@.+/),
      after: { backupOf: expect.stringMatching(/^20/), rows: { dashboard: expect.any(Number) } },
    })
})

test('a backup of an older schema is restored as it was, then brought up to date', async () => {
  const { migrations } = schemaOf('bff')
  const versions = (await listMigrations(migrations)).map(({ version }) => version)
  const [from, to] = [await makePlace(file), await makePlace(file)]
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

test('a backup omits stored threats and secrets on request', async () => {
  const [from, to] = [await makePlace(file, { isFilled: true }), await makePlace(file)]
  const said = await from.backUp({ hasSecrets: false, hasThreats: false, passphrase: '' })
  expect(said.join()).toMatch(/not sealed.*hashes of passwords.*lacks SECRET.*lacks the stored threats/)
  expect((await to.restore({ isUnsealedAllowed: true })).join()).toMatch(/no stored threats.*no SECRET/)
  const digests = await digestDatabase(to.url)
  expect(digests).toEqual({ ...(await digestDatabase(from.url)), window_threat: '0 rows ' })
  expect(await readdir(to.dataDir)).toEqual([])
})

test('replaces existing data only with the confirming words, and lists what is lost', async () => {
  const [from, to] = [await makePlace(file, { isFilled: true }), await makePlace(file, { isFilled: true })]
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
  const [from, to] = [await makePlace(file, { isFilled: true }), await makePlace(file, { isFilled: true })]
  await from.backUp()
  const user = await openDatabase({ url: to.url, max: 1 })
  await expect(to.restore({ replace: WORD })).rejects.toThrow(/is in use \(connections: 1\): stop Lantern/)
  await user.query('drop schema public cascade; create schema public; create table shop ()')
  await user.close()
  await expect(to.restore({ replace: WORD })).rejects.toThrow('holds tables of something else')
  expect(await digestDatabase(to.url)).toEqual({ shop: '0 rows ' })
})

test('what was altered anywhere, cut off, or is sealed with another passphrase changes nothing', async () => {
  const [from, to] = [await makePlace(file, { isFilled: true }), await makePlace(file)]
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
    await expect(to.restore({ isUnsealedAllowed: true }), bytes.toString('latin1', 0, 40)).rejects.toThrow(
      said,
    )
  }
  await writeFile(file, sealed)
  await expect(to.restore({ passphrase: 'another passphrase' })).rejects.toThrow('with another passphrase')
  await expect(to.restore({ passphrase: '' })).rejects.toThrow('is sealed: set BACKUP_PASSPHRASE')
  await expect(to.restore({ file: join(folder, 'none') })).rejects.toThrow('cannot be read')
  expect(await digestDatabase(to.url)).toEqual({})
})

test('a forged file with changed rows or names changes nothing', async () => {
  const [from, to] = [await makePlace(file, { isFilled: true }), await makePlace(file)]
  await from.backUp({ passphrase: '', hasSecrets: false })
  const bytes = await readFile(file)
  const start = bytes.indexOf('\n') + 1
  const text = gunzipSync(bytes.subarray(start)).toString()
  const make = (change: (text: string) => string) =>
    writeFile(file, Buffer.concat([bytes.subarray(0, start), gzipSync(withChecksums(change(text)))]))

  await make((lines) => lines.replace('2026-03-29 01:59:59.999999+00', '2026-03-29 02:59:59.999999+01'))
  await expect(to.restore({ isUnsealedAllowed: true })).rejects.toThrow('the rows of account are others')
  await make((lines) =>
    lines.replace('"table","name":"account"', '"table","name":"account\\"; drop table x"'),
  )
  await expect(to.restore({ isUnsealedAllowed: true })).rejects.toThrow('is not as its schema has it')
  await make((lines) => lines.replace('"email","name"', '"email","name\\") select 1"'))
  await expect(to.restore({ isUnsealedAllowed: true })).rejects.toThrow('is not as its schema has it')
  await make((lines) => lines.replace('"viewer"', '"emperor"'))
  await expect(to.restore({ isUnsealedAllowed: true })).rejects.toThrow(/^PostgreSQL: .*account_role_check/)
  await make((lines) => lines.replace(/^\{"part":"table","name":"visit".*\n(?:\[.*\n)*.*\n/m, ''))
  await expect(to.restore({ isUnsealedAllowed: true })).rejects.toThrow('lacks tables of its schema')
  expect(await digestDatabase(to.url)).toEqual({})
  await make((lines) => lines)
  await to.restore({ isUnsealedAllowed: true })
})

test('a backup of a newer Lantern is refused', async () => {
  const [from, to] = [await makePlace(file, { isFilled: true }), await makePlace(file)]
  await from.ask((db) => db.query(`insert into schema_migration values (9999, 'x')`))
  await from.backUp()
  await expect(to.restore()).rejects.toThrow(
    /made by a newer Lantern \(.*, with migration 9999 of the dashboard’s/,
  )
  await writeFile(file, 'lantern-backup 2 something new\n')
  await expect(to.restore()).rejects.toThrow('made by a newer Lantern (format 2)')
  expect(await digestDatabase(to.url)).toEqual({})
})

test('a backup requires a passphrase, data, and a target that is not another file', async () => {
  const from = await makePlace(file)
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
