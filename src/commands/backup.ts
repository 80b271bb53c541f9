import { resolve } from 'node:path'
import { BACKUP_USAGE, BackupUsageError, readBackupCommand } from '#backup/read-command.ts'
import { backUp } from '#start/back-up.ts'
import { runCommandLine } from '#start/run-command.ts'
import { findCallersFolder, loadSettings } from '../settings/settings.ts'

await runCommandLine({
  name: 'backup',
  usage: BACKUP_USAGE,
  read: readBackupCommand,
  Mistake: BackupUsageError,
  run(command) {
    const file = resolve(findCallersFolder(), command.file)
    return backUp(loadSettings(), { ...command, file }, { notify: console.error })
  },
})
