import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupError } from '#backup/backup-error.ts'
import type { DatabaseName } from '#backup/backup-parts.ts'
import { describeContents, emptySchema, refuseOthers } from '#backup/empty-target.ts'
import { type BackupFacts, checkBackup, loadBackup, type Schemas } from '#backup/restore-backup.ts'
import { recordAudit } from '#bff/accounts/audit/record-audit.ts'
import {
  type EnabledAccount,
  type EndedAccess,
  endAccess,
  listEnabled,
  listEnabledIds,
} from '#bff/accounts/users/restored-access.ts'
import type { Database } from '#database/database.ts'
import { writeSecret } from '#database/embedded/keep-secret.ts'
import type { Settings } from '#settings/settings.ts'
import { readKept, SECRET_NAMES } from './back-up.ts'
import { REPLACE_WORD, type RestoreCommand } from './backup-commands.ts'
import { openBoth, throwReadable } from './both-databases.ts'
import { nameCommand } from './name-command.ts'
import { schemaOf } from './open-migrated.ts'
import { nameCaller } from './run-command.ts'

type Out = { notify(line: string): void }

const SCHEMAS: Schemas = { dashboard: schemaOf('bff'), service: schemaOf('service') }

/** Restores a backup to where these settings lead: all of each database, or nothing. */
export async function restore(
  settings: Settings,
  { file, replace, isUnsealedAllowed }: Extract<RestoreCommand, { name: 'restore' }>,
  { notify }: Out,
): Promise<true> {
  const passphrase = settings.backupPassphrase ?? null
  const facts = await checkBackup(file, { passphrase, isUnsealedAllowed }, SCHEMAS)
  const both = await openBoth(settings, 'alone')
  const wanted = facts.databases.flatMap(({ name }) => {
    const database = both.databases.get(name)
    return database ? [{ name, database }] : []
  })
  let access: RestoredAccess | null
  try {
    if (wanted.length === 0)
      throw new BackupError(
        'Nothing was changed. The backup holds only the service’s database, and these settings name none for it: set SERVICE_DATABASE_URL',
      )
    access = await withTransactions(wanted, new Map(), async (targets) => {
      const lost = await describeLost(targets, both.dataDir, facts)
      if (lost.length > 0 && replace !== REPLACE_WORD)
        throw new BackupError(
          `Nothing was changed. This would be lost: ${lost.join('; ')}. To lose it, add --replace ${REPLACE_WORD}`,
        )
      const dashboard = targets.get('dashboard')
      const enabledBefore = dashboard ? await listEnabledIds(dashboard) : null
      for (const tx of targets.values()) await emptySchema(tx)
      // The file is read a second time, and may have been exchanged since.
      await loadBackup(file, { passphrase, isUnsealedAllowed: !facts.isSealed }, targets, SCHEMAS)
      const closed = dashboard ? await closeAccess(dashboard, enabledBefore) : null
      if (dashboard && closed)
        await recordRestore(dashboard, facts, { names: [...targets.keys()], access: closed })
      // Steps that can fail are done before anything is committed.
      for (const [name, secret] of secretsOf(facts)) await writeSecret(both.dataDir, draftOf(name), secret)
      return closed
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
  if (access) reportAccess(access, notify)
  notify(`Check the audit record with \`${nameCommand('audit', 'verify')}\`, then start Lantern.`)
  return true
}

type RestoredAccess = {
  ended: EndedAccess
  /** Accounts that the restore enabled; where it replaced nothing, all that it enabled: any may have been disabled since. */
  enabled: EnabledAccount[]
  hasReplaced: boolean
}

async function closeAccess(tx: Database, enabledBefore: ReadonlySet<string> | null): Promise<RestoredAccess> {
  const ended = await endAccess(tx)
  const enabled = (await listEnabled(tx)).filter(({ id }) => !enabledBefore?.has(id))
  return { ended, enabled, hasReplaced: enabledBefore !== null }
}

/** The record in the file ends before the backup was made. These entries state what came next. */
function recordRestore(
  tx: Database,
  { lantern, commit, createdAt, databases, isSealed }: BackupFacts,
  { names, access }: { names: readonly DatabaseName[]; access: RestoredAccess },
): Promise<void> {
  const restored = databases.filter(({ name }) => names.includes(name))
  const rows = Object.fromEntries(restored.map(({ name, rows }) => [name, rows]))
  const enabledAgain = access.hasReplaced && { enabledAgain: access.enabled.map(({ id }) => id) }
  return recordAudit(tx, {
    actor: null,
    action: 'backup-restored',
    route: 'npm run restore',
    object: null,
    after: {
      backupOf: createdAt,
      madeByLantern: lantern,
      commit,
      isSealed,
      rows,
      ended: access.ended,
      ...enabledAgain,
    },
    address: nameCaller(),
    requestId: randomUUID(),
  })
}

/** Opens one transaction within the other: none is committed before all are loaded. A retry reads the file anew. */
function withTransactions<R>(
  [first, ...others]: readonly { name: DatabaseName; database: Database }[],
  begun: ReadonlyMap<DatabaseName, Database>,
  run: (targets: ReadonlyMap<DatabaseName, Database>) => Promise<R>,
): Promise<R> {
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
  { lantern, commit, createdAt, databases, secrets, hasThreats, isSealed, hasIgnoredSecrets }: BackupFacts,
  restored: ReadonlySet<DatabaseName>,
  notify: Out['notify'],
): void {
  notify(
    `Restored the backup of ${createdAt}, made by Lantern ${lantern}${commit === undefined ? '' : ` (${commit})`}; each row is as it was:`,
  )
  for (const { name, rows } of databases) {
    const fate = restored.has(name) ? '' : ', left out: these settings name no database for it'
    notify(`  ${name}  ${rows.toLocaleString('en')} rows${fate}`)
  }
  notify(
    isSealed
      ? 'The file was sealed with the passphrase: nobody without it has changed it.'
      : 'The file was not sealed: anyone who could write to it could have changed it.',
  )
  if (hasIgnoredSecrets) notify('Secrets that it had were not taken: only those of a sealed file are.')
  if (!hasThreats) notify('It had no stored threats: the next start asks the vendor for them again.')
  if (secrets.secret === undefined)
    notify(
      'It had no SECRET: set that of before, or vendor’s keys and authenticator apps anew; docs/operating/backup.md says how.',
    )
  else if (settings.secret !== undefined && settings.secret !== secrets.secret)
    notify(
      'SECRET of your settings is not the backup’s: unset it, or set SECRET_BEFORE to that for one start.',
    )
}

function reportAccess({ ended, enabled, hasReplaced }: RestoredAccess, notify: Out['notify']): void {
  const { sessions, signIns, links, feeds } = ended
  notify(
    `Ended, since they may have ended after the backup: sessions ${sessions}, sign-ins without their second step ${signIns}, invitations and sign-in links ${links}, feed addresses ${feeds}.`,
  )
  if (enabled.length === 0) return
  notify(
    hasReplaced
      ? 'Enabled again: these accounts were disabled or missing in what was replaced. Disable in Settings, Users, those that should stay out:'
      : 'These accounts are enabled. Any may have been disabled since the backup: disable those again in Settings, Users:',
  )
  for (const { email, role } of enabled) notify(`  ${email}  ${role}`)
}
