import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type OpenDatabase, openDatabase } from '#database/open-database.ts'
import { parseSettings } from '#settings/settings.ts'
import { backUp } from '#start/back-up.ts'
import { openMigrated } from '#start/open-migrated.ts'
import { restore } from '#start/restore.ts'
import { databaseUrl } from './with-database.ts'

export const PASSPHRASE = 'what the tests seal with'
export const SECRET = 'the secret of the test, long enough'
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
  insert into delivery_cause values ('w', E'\\u2028', 'paused');
  insert into delivery_destination (channel, fingerprint, sealed, masked) values ('a', sha256('\\x00'), '\\x00ff', '…');
  insert into delivery (destination_id, kind, state, is_open, next_attempt_at, created_at, touched_at)
  select id, 'matches', 'heldBack', true, now(), now(), now() from delivery_destination;
  insert into delivery_match (event, cause_id, destination_id, threat_id, threat, delivery_id, matched_at)
  select 'e', 'w', destination_id, 't', '{"title":"\\u2028"}', id, now() from delivery;
  insert into audit_event (actor, action, route, address) select id, 'sign-in', 'x', '192.0.2.1' from account;
  select nextval('upstream_call_id_seq'), nextval('upstream_call_id_seq'), nextval('window_revision')`

type Choice = {
  passphrase?: string
  file?: string
  replace?: string | null
  isUnsealedAllowed?: boolean
  hasSecrets?: boolean
  hasThreats?: boolean
}

/** A new folder with the name of a file in it that backups go to. */
export async function makeBackupFile(): Promise<{ folder: string; file: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'lantern-restore-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return { folder, file: join(folder, 'a.backup') }
}

/** A dashboard's database with its folder: empty, or with the schema of today and a few rows. */
export async function makePlace(file: string, { isFilled = false } = {}) {
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
    async backUp({ passphrase, hasSecrets = true, hasThreats = true, file: to = file }: Choice = {}) {
      const said: string[] = []
      const command = { name: 'backup', file: to, hasSecrets, hasThreats } as const
      await backUp(settingsWith(passphrase), command, { notify: (line) => said.push(line) })
      return said
    },
    async restore({ passphrase, replace = null, isUnsealedAllowed = false, file: from = file }: Choice = {}) {
      const said: string[] = []
      await restore(
        settingsWith(passphrase),
        { name: 'restore', file: from, replace, isUnsealedAllowed },
        { notify: (line) => said.push(line) },
      )
      return said
    },
  }
}
