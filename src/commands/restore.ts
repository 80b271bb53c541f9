import { resolve } from 'node:path'
import { RESTORE_USAGE, readRestoreCommand } from '#start/backup-commands.ts'
import { restore } from '#start/restore.ts'
import { runCommandLine } from '#start/run-command.ts'
import { findCallersFolder, loadSettings } from '../settings/settings.ts'

await runCommandLine({
  name: 'restore',
  usage: RESTORE_USAGE,
  read: readRestoreCommand,
  run(command) {
    const file = resolve(findCallersFolder(), command.file)
    return restore(loadSettings(), { ...command, file }, { notify: console.error })
  },
})
