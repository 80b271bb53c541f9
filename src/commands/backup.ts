import { resolve } from 'node:path'
import { backUp } from '#start/back-up.ts'
import { BACKUP_USAGE, readBackupCommand } from '#start/backup-commands.ts'
import { runCommandLine } from '#start/run-command.ts'
import { findCallersFolder, loadSettings } from '../settings/settings.ts'

await runCommandLine({
  name: 'backup',
  usage: BACKUP_USAGE,
  read: readBackupCommand,
  run(command) {
    const file = resolve(findCallersFolder(), command.file)
    return backUp(loadSettings(), { ...command, file }, { notify: console.error })
  },
})
