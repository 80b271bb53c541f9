import { KEYS_USAGE, KeysUsageError, readKeysCommand } from '#service/keys/read-keys-command.ts'
import { runKeysCommand } from '#service/keys/run-keys-command.ts'
import { runCommand } from '#start/run-command.ts'
import { openServiceDatabase } from '#start/service-database.ts'
import { loadSettings } from './settings.ts'

await runCommand(
  async () => {
    const command = readKeysCommand(process.argv.slice(2))
    if (command.name === 'help') {
      console.log(KEYS_USAGE)
      return true
    }
    const database = await openServiceDatabase(loadSettings())
    try {
      return await runKeysCommand(database, command, { print: console.log, notify: console.error })
    } finally {
      await database.close()
    }
  },
  { text: KEYS_USAGE, Mistake: KeysUsageError },
)
