import {
  KEYS_USAGE,
  type KeysCommand,
  KeysUsageError,
  readKeysCommand,
} from '#service/keys/read-keys-command.ts'
import { runKeysCommand } from '#service/keys/run-keys-command.ts'
import { openServiceDatabase } from '#start/service-database.ts'
import { loadSettings, SettingsError } from './settings.ts'

/** A person can mend it, and needs no stack for that. */
class UnopenedError extends Error {}

try {
  const command = readKeysCommand(process.argv.slice(2))
  process.exitCode = (await run(command)) ? 0 : 1
} catch (error) {
  if (error instanceof KeysUsageError) {
    console.error(`${error.message}\n\n${KEYS_USAGE}`)
    process.exitCode = 2
  } else if (error instanceof SettingsError || error instanceof UnopenedError) {
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
  const database = await openServiceDatabase(loadSettings()).catch(tellWhy)
  try {
    return await runKeysCommand(database, command, { print: console.log, tell: console.error })
  } finally {
    await database.close()
  }
}

function tellWhy(error: unknown): never {
  // One for each address of a host name.
  const [cause = error] = error instanceof AggregateError ? error.errors : []
  const [reason] = (cause instanceof Error ? cause.message : String(cause)).split('\n', 1)
  throw new UnopenedError(`The service's database cannot be opened: ${reason}`)
}
