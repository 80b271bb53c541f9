import { BackupError } from '#backup/backup-error.ts'
import { writeBackup } from '#backup/write-backup.ts'
import { recordBackup } from '#bff/telemetry/last-backup.ts'
import type { Database } from '#database/database.ts'
import { readSecret } from '#database/embedded/keep-secret.ts'
import { type Settings, SettingsError } from '#settings/settings.ts'
import type { BackupCommand } from './backup-commands.ts'
import { openBoth, throwReadable } from './both-databases.ts'
import { readBuild } from './read-build.ts'

type Out = { notify(line: string): void }

/** These secrets are in DATA_DIR and in no database. PostgreSQL's own password is left out: each cluster has another. */
export const SECRET_NAMES = ['secret', 'service-key'] as const

const PASSPHRASE_MIN_LENGTH = 12

/** Writes a backup of all that these settings lead to. */
export async function backUp(
  settings: Settings,
  { file, hasSecrets, hasThreats }: Extract<BackupCommand, { name: 'backup' }>,
  { notify }: Out,
): Promise<true> {
  const passphrase = settings.backupPassphrase ?? null
  if (passphrase === null && hasSecrets)
    throw new SettingsError(
      'BACKUP_PASSPHRASE must be set: the backup is sealed with it; --without-secrets writes one that is not sealed and lacks SECRET and the service’s key',
    )
  if (passphrase !== null && passphrase.length < PASSPHRASE_MIN_LENGTH)
    throw new SettingsError(`BACKUP_PASSPHRASE must be ${PASSPHRASE_MIN_LENGTH} characters or more`)

  const both = await openBoth(settings, 'beside')
  const build = await readBuild()
  try {
    const size = await writeBackup(file, passphrase, {
      databases: [...both.databases].map(([name, database]) => ({ name, database })),
      secrets: hasSecrets ? await readSecrets(both.dataDir, settings.secret) : {},
      hasThreats,
      build,
    }).catch(throwReadable)
    notify(`${file}: ${(size / 1e6).toFixed(1)} MB, ${passphrase === null ? 'not sealed' : 'sealed'}`)
    const dashboard = both.databases.get('dashboard')
    if (dashboard) await recordEnd(dashboard, notify)
  } finally {
    await both.close()
  }
  if (passphrase === null)
    notify('It holds email addresses and hashes of passwords: keep it where nobody else can read it.')
  if (!hasSecrets)
    notify(
      'It lacks SECRET: unless you keep that yourself, vendor’s keys must be set and authenticator apps set up anew after a restore.',
    )
  if (!hasThreats) notify('It lacks the stored threats: after a restore the vendor is asked for them again.')
  return true
}

/** The file is whole, whatever comes of this. */
async function recordEnd(dashboard: Database, notify: Out['notify']): Promise<void> {
  await recordBackup(dashboard).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : error
    notify(
      `The backup is whole, but the database could not record its time (${reason}): metrics show the backup before it.`,
    )
  })
}

/** SECRET of the settings is included if it is set, because the file alone has to be enough. */
async function readSecrets(dataDir: string, given: string | undefined): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {}
  for (const name of SECRET_NAMES) {
    const kept = await readKept(dataDir, name)
    const secret = name === 'secret' ? (given ?? kept) : kept
    if (secret !== undefined) secrets[name] = secret
  }
  return secrets
}

export function readKept(dataDir: string, name: (typeof SECRET_NAMES)[number]): Promise<string | undefined> {
  return readSecret(dataDir, name).catch((error: unknown) => {
    throw new BackupError(error instanceof Error ? error.message : String(error))
  })
}
