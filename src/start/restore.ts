import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupError } from '#backup/backup-error.ts'
import type { DatabaseName } from '#backup/backup-parts.ts'
import { describeContents, emptySchema, refuseOthers } from '#backup/empty-target.ts'
import { REPLACE_WORD, type RestoreCommand } from '#backup/read-command.ts'
import { type BackupFacts, checkBackup, loadBackup, type Schemas } from '#backup/restore-backup.ts'
import { recordAudit } from '#bff/accounts/audit/record-audit.ts'
import type { Database } from '#database/database.ts'
import { writeSecret } from '#database/embedded/keep-secret.ts'
import type { Settings } from '#settings.ts'
import { readKept, readPassphrase, SECRET_NAMES } from './back-up.ts'
import { openBoth, throwReadable } from './both-databases.ts'
import { schemaOf } from './open-migrated.ts'
import { nameCaller } from './run-command.ts'

type Out = { notify(line: string): void }

const SCHEMAS: Schemas = { dashboard: schemaOf('bff'), service: schemaOf('service') }

/** Restores a backup to where these settings lead: all of each database, or nothing. */
export async function restore(
  settings: Settings,
  { file, replace }: Extract<RestoreCommand, { name: 'restore' }>,
  { notify }: Out,
): Promise<true> {
  const passphrase = await readPassphrase(settings)
  const facts = await checkBackup(file, passphrase, SCHEMAS)
  const both = await openBoth(settings, 'alone')
  const wanted = facts.databases.flatMap(({ name }) => {
    const database = both.databases.get(name)
    return database ? [{ name, database }] : []
  })
  try {
    await withTransactions(wanted, new Map(), async (targets) => {
      const lost = await describeLost(targets, both.dataDir, facts)
      if (lost.length > 0 && replace !== REPLACE_WORD)
        throw new BackupError(
          `Nothing was changed. This would be lost: ${lost.join('; ')}. To lose it, add --replace ${REPLACE_WORD}`,
        )
      for (const tx of targets.values()) await emptySchema(tx)
      await loadBackup(file, passphrase, targets, SCHEMAS)
      const dashboard = targets.get('dashboard')
      if (dashboard) await recordRestore(dashboard, facts, [...targets.keys()])
      // What can fail is done before anything is settled.
      for (const [name, secret] of secretsOf(facts)) await writeSecret(both.dataDir, draftOf(name), secret)
    })
    for (const [name] of secretsOf(facts))
      await rename(join(both.dataDir, draftOf(name)), join(both.dataDir, name))
  } catch (error) {
    for (const name of SECRET_NAMES) await rm(join(both.dataDir, draftOf(name)), { force: true })
    throwReadable(error)
  } finally {
    await both.close()
  }
  report(settings, facts, new Set(wanted.map(({ name }) => name)), notify)
  return true
}

/** Of what is in the file, the record ends before it was made: this is what came next. */
function recordRestore(
  tx: Database,
  { lantern, createdAt, databases }: BackupFacts,
  names: readonly DatabaseName[],
): Promise<void> {
  const restored = databases.filter(({ name }) => names.includes(name))
  const rows = Object.fromEntries(restored.map(({ name, rows }) => [name, rows]))
  return recordAudit(tx, {
    ...{ actor: null, action: 'backup-restored', route: 'npm run restore', object: null },
    after: { backupOf: createdAt, madeByLantern: lantern, rows },
    ...{ address: nameCaller(), requestId: randomUUID() },
  })
}

/** One within the other: none is committed before all are loaded. Whoever retries reads the file anew. */
function withTransactions(
  [first, ...others]: readonly { name: DatabaseName; database: Database }[],
  begun: ReadonlyMap<DatabaseName, Database>,
  run: (targets: ReadonlyMap<DatabaseName, Database>) => Promise<void>,
): Promise<void> {
  if (!first) return run(begun)
  return first.database.transaction((tx) =>
    withTransactions(others, new Map([...begun, [first.name, tx]]), run),
  )
}

async function describeLost(
  targets: ReadonlyMap<DatabaseName, Database>,
  dataDir: string,
  facts: BackupFacts,
): Promise<string[]> {
  const lost = []
  for (const [name, tx] of targets) {
    await refuseOthers(tx, name)
    const contents = await describeContents(tx, name)
    if (contents !== null) lost.push(`of the ${name} ${contents}`)
  }
  for (const [name, secret] of secretsOf(facts)) {
    const kept = await readKept(dataDir, name)
    if (kept !== undefined && kept !== secret) lost.push(`${join(dataDir, name)}, which is another one`)
  }
  return lost
}

function secretsOf({ secrets }: BackupFacts): [(typeof SECRET_NAMES)[number], string][] {
  return SECRET_NAMES.flatMap((name) => {
    const secret = secrets[name]
    return secret === undefined ? [] : [[name, secret]]
  })
}

function draftOf(name: string): string {
  return `${name}.restored`
}

function report(
  settings: Settings,
  { lantern, createdAt, databases, secrets, hasWindow }: BackupFacts,
  restored: ReadonlySet<DatabaseName>,
  notify: Out['notify'],
): void {
  notify(`Restored the backup of ${createdAt}, made by Lantern ${lantern}; each row is as it was:`)
  for (const { name, rows } of databases) {
    const fate = restored.has(name) ? '' : ', left out: these settings name no database for it'
    notify(`  ${name}  ${rows.toLocaleString('en')} rows${fate}`)
  }
  if (!hasWindow) notify('It had no stored threats: the next start asks the vendor for them again.')
  if (secrets.secret === undefined)
    notify(
      'It had no SECRET: set that of before, or vendor’s keys and authenticator apps anew; docs/backup.md says how.',
    )
  else if (settings.secret !== undefined && settings.secret !== secrets.secret)
    notify(
      'SECRET of your settings is not the backup’s: unset it, or set SECRET_BEFORE to that for one start.',
    )
  notify('Check the audit record with `npm run -s audit -- verify`, then start Lantern.')
}
