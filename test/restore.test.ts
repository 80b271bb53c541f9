import { readdir, readFile, writeFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { writeBackupFile } from '#backup/backup-file.ts'
import { listAuditEvents } from '#bff/accounts/audit/audit-queries.ts'
import { digestDatabase } from '#test/support/digest-database.ts'
import { makeBackupFile, makePlace, PASSPHRASE } from '#test/support/restore-place.ts'

const ALL = 'lose-what-is-there'
const FIRST_LINE = JSON.stringify({
  part: 'backup',
  lantern: '0.1.0',
  createdAt: '2026-11-01T00:00:00.000Z',
  hasThreats: true,
})
const SECRETS = JSON.stringify({ part: 'secrets', secrets: { secret: 'chosen by an attacker' } })
const WITHOUT_DATABASE = `${FIRST_LINE}\n${SECRETS}\n{"part":"end"}\n`

let folder = ''
let file = ''
beforeEach(async () => {
  const made = await makeBackupFile()
  folder = made.folder
  file = made.file
})

test('refuses an unsealed file, with a passphrase or without, unless --unsealed is given', {
  timeout: 90_000,
}, async () => {
  const [from, to] = [await makePlace(file, { isFilled: true }), await makePlace(file)]
  await from.backUp({ passphrase: '', hasSecrets: false })
  for (const choice of [{}, { passphrase: '' }])
    await expect(to.restore(choice)).rejects.toThrow(/is not sealed.*add --unsealed$/)
  expect(await digestDatabase(to.url)).toEqual({})
  expect((await to.restore({ isUnsealedAllowed: true })).join('\n')).toMatch(/The file was not sealed/)
  expect(await readRestore(to)).toMatchObject({ isSealed: false })
})

test('secrets of a file that is not sealed are never taken', { timeout: 90_000 }, async () => {
  const [from, to] = [await makePlace(file, { isFilled: true }), await makePlace(file)]
  await from.backUp({ passphrase: '', hasSecrets: false })
  const bytes = await readFile(file)
  const start = bytes.indexOf('\n') + 1
  const text = gunzipSync(bytes.subarray(start))
    .toString()
    .replace(/^\{"part":"secrets".*$/m, SECRETS)
  await writeFile(file, Buffer.concat([bytes.subarray(0, start), gzipSync(text)]))
  const report = await to.restore({ isUnsealedAllowed: true })
  expect(report.join('\n')).toMatch(/Secrets that it had were not taken/)
  expect(await readdir(to.dataDir)).toEqual([])
})

test('refuses a file without a database, or with one that has no setting', {
  timeout: 90_000,
}, async () => {
  const to = await makePlace(file)
  for (const passphrase of [PASSPHRASE, null]) {
    await writeBackupFile(file, passphrase, async function* () {
      yield WITHOUT_DATABASE
    })
    await expect(to.restore({ isUnsealedAllowed: true })).rejects.toThrow('holds no database')
  }
  const service = `${JSON.stringify({ part: 'database', name: 'service', migrations: [1] })}\n`
  await writeBackupFile(file, PASSPHRASE, async function* () {
    yield WITHOUT_DATABASE.replace(`${SECRETS}\n`, `${service}${SECRETS}\n`)
  })
  await expect(to.restore()).rejects.toThrow(/Nothing was changed.*set SERVICE_DATABASE_URL$/)
  await expect(to.restore({ file: folder })).rejects.toThrow(/cannot be read: EISDIR/)
  expect(await readdir(to.dataDir)).toEqual([])
})

test('a database that the file only names replaces nothing', {
  timeout: 90_000,
}, async () => {
  const to = await makePlace(file, { isFilled: true })
  const before = await digestDatabase(to.url)
  const dashboard = `${JSON.stringify({ part: 'database', name: 'dashboard', migrations: [1] })}\n`
  await writeBackupFile(file, PASSPHRASE, async function* () {
    yield WITHOUT_DATABASE.replace(`${SECRETS}\n`, `${dashboard}${SECRETS}\n`)
  })
  await expect(to.restore({ replace: ALL })).rejects.toThrow('lacks a part of the dashboard’s database')
  expect(await digestDatabase(to.url)).toEqual(before)
})

test('what had ended is not revived: sessions, half sign-ins, invitations, links and feed addresses', {
  timeout: 90_000,
}, async () => {
  const [from, to] = [await makePlace(file, { isFilled: true }), await makePlace(file)]
  await from.ask((db) => db.query(OPENINGS))
  await from.backUp()
  const report = await to.restore()
  const { rows } = await to.ask((db) =>
    db.query(`select (select count(*) from session) + (select count(*) from sign_in_step)
                   + (select count(*) from password_link) + (select count(*) from sign_in_link)
                   + (select count(*) from saved_view where feed_token_hash is not null) as count,
                     (select count(*) from saved_view) as views, (select count(*) from idempotency_key) as keys`),
  )
  expect(rows).toEqual([{ count: 0, views: 1, keys: 0 }])
  expect(report.join('\n')).toMatch(
    /sessions 1, sign-ins without their second step 1, invitations and sign-in links 2, feed addresses 1/,
  )
  // Where nothing is replaced, nobody knows who was disabled since.
  expect(report.join('\n')).toMatch(
    /The file was sealed.*may have been disabled since.*\n {2}a@x\.example {2}admin\n {2}b@x\.example {2}viewer\n/s,
  )
  expect(await readRestore(to)).toMatchObject({
    isSealed: true,
    ended: { sessions: 1, signIns: 1, links: 2, feeds: 1 },
  })
})

test('accounts that a restore enables again are listed: disabled ones, and such as were not there', {
  timeout: 90_000,
}, async () => {
  const [from, to] = [await makePlace(file, { isFilled: true }), await makePlace(file)]
  await from.ask((db) =>
    db.query(`insert into account (email, name, role, disabled_at)
              values ('c@x.example', 'c', 'viewer', now()), ('d@x.example', 'd', 'viewer', null)`),
  )
  await from.backUp()
  await to.restore({ replace: ALL })
  await to.ask((db) =>
    db.query(`update account set disabled_at = now() where email = 'a@x.example';
              delete from account where email = 'b@x.example'`),
  )
  const report = (await to.restore({ replace: ALL })).join('\n')
  expect(report).toMatch(/Enabled again.*\n {2}a@x\.example {2}admin\n {2}b@x\.example {2}viewer\n/)
  expect(report).not.toMatch(/[cd]@x\.example/)
})

const OPENINGS = `
  insert into sign_in_step (token_hash, account_id, is_known_device, expires_at)
  select sha256('step'), id, false, 'infinity' from account where email = 'a@x.example';
  insert into password_link (account_id, token_hash, expires_at)
  select id, sha256('invitation'), 'infinity' from account where email = 'b@x.example';
  insert into sign_in_link (token_hash, account_id, expires_at, is_break_glass)
  select sha256('link'), id, 'infinity', true from account where email = 'a@x.example';
  insert into saved_view (account_id, name, filter, time_zone, is_shared, feed_token_hash)
  select id, 'a', '{}', 'UTC', false, sha256('feed') from account where email = 'a@x.example';
  insert into idempotency_key (account_id, key, request_hash, answer)
  select id, gen_random_uuid(), sha256('write'), '{}' from account where email = 'a@x.example'`

/** What the newest record says of a restore. */
async function readRestore(place: Awaited<ReturnType<typeof makePlace>>) {
  const { events } = await place.ask((db) => listAuditEvents(db, { timeZone: 'UTC' }, undefined))
  expect(events[0]).toMatchObject({ action: 'backup-restored' })
  return events[0]?.after
}
