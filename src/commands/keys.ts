import { KEYS_USAGE, readKeysCommand } from '#service/keys/read-keys-command.ts'
import { runKeysCommand } from '#service/keys/run-keys-command.ts'
import { openServiceDatabase } from '#start/command-database.ts'
import { runCommandLine } from '#start/run-command.ts'
import { loadSettings } from '../settings/settings.ts'

await runCommandLine({
  name: 'keys',
  usage: KEYS_USAGE,
  read: readKeysCommand,
  async run(command) {
    const database = await openServiceDatabase(loadSettings())
    try {
      return await runKeysCommand(database, command, { print: console.log, notify: console.error })
    } finally {
      await database.close()
    }
  },
})
