import { loadSettings, SettingsError } from '#settings.ts'
import { openServiceDatabase } from '#start/service-database.ts'
import { KEYS_USAGE, type KeysCommand, KeysUsageError, readKeysCommand } from './read-keys-command.ts'
import { runKeysCommand } from './run-keys-command.ts'

try {
  const command = readKeysCommand(process.argv.slice(2))
  process.exitCode = (await run(command)) ? 0 : 1
} catch (error) {
  if (error instanceof KeysUsageError) {
    console.error(`${error.message}\n\n${KEYS_USAGE}`)
    process.exitCode = 2
  } else if (error instanceof SettingsError) {
    console.error(error.message)
    process.exitCode = 1
  } else {
    throw error
  }
}

async function run(command: KeysCommand): Promise<boolean> {
  if (command.name === 'help') {
    console.log(KEYS_USAGE)
    return true
  }
  const database = await openServiceDatabase(loadSettings())
  try {
    return await runKeysCommand(database, command, { print: console.log, tell: console.error })
  } finally {
    await database.close()
  }
}
