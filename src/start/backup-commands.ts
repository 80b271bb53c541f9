import { isHelpWanted, parseCommandLine, UsageError } from '#server/command-line.ts'

export const BACKUP_USAGE = `FILE [--without-secrets] [--without-window]

Writes all that Lantern keeps to FILE, beside a running Lantern or without one: the dashboard's and the service's database,
each as it is at one moment, and the secrets of DATA_DIR. FILE is sealed with BACKUP_PASSPHRASE (12 characters or more).

  --without-secrets  leaves out SECRET and the service's key, and does without a passphrase: then FILE is not sealed.
  --without-window   leaves out the stored threats of a vendor, which are read again, at the cost of calls.`

/** The user types this to confirm the loss of the present data. */
export const REPLACE_WORD = 'lose-what-is-there'

export const RESTORE_USAGE = `FILE [--unsealed] [--replace ${REPLACE_WORD}]

Restores what the command backup wrote to FILE, into the databases and the DATA_DIR of the settings, while Lantern is stopped.
They must be empty.

  --unsealed                    restores a FILE that is not sealed. Anyone who can write to such a FILE can make
                                themselves an admin. Secrets in it are ignored.
  --replace ${REPLACE_WORD}  puts it in the place of what is there. Without the right word nothing is changed, and what
                                would be lost is said.`

export type BackupCommand =
  | { name: 'help' }
  | { name: 'backup'; file: string; hasSecrets: boolean; hasThreats: boolean }
export type RestoreCommand =
  | { name: 'help' }
  | { name: 'restore'; file: string; replace: string | null; isUnsealedAllowed: boolean }

export function readBackupCommand(args: readonly string[]): BackupCommand {
  if (isHelpWanted(args)) return { name: 'help' }
  const { values, positionals } = parseCommandLine(args, {
    'without-secrets': { type: 'boolean' },
    'without-window': { type: 'boolean' },
  })
  return {
    name: 'backup',
    file: readFile(positionals),
    hasSecrets: !values['without-secrets'],
    hasThreats: !values['without-window'],
  }
}

export function readRestoreCommand(args: readonly string[]): RestoreCommand {
  if (isHelpWanted(args)) return { name: 'help' }
  const { values, positionals } = parseCommandLine(args, {
    replace: { type: 'string' },
    unsealed: { type: 'boolean' },
  })
  return {
    name: 'restore',
    file: readFile(positionals),
    replace: values.replace ?? null,
    isUnsealedAllowed: values.unsealed ?? false,
  }
}

function readFile([file, extra]: readonly string[]): string {
  if (file === undefined) throw new UsageError('Name a file')
  if (extra !== undefined) throw new UsageError(`What is "${extra}"?`)
  return file
}
