import { hostname, userInfo } from 'node:os'
import { BackupError } from '#backup/backup-error.ts'
import { PostgresEndedError } from '#database/embedded/start-cluster.ts'
import { isDatabaseAway, isDatabaseUnwritable } from '#database/is-database-away.ts'
import { UsageError } from '#server/command-line.ts'
import { SettingsError } from '#settings/settings.ts'
import { UnopenedError } from './command-database.ts'
import { nameCommand } from './name-command.ts'

type Help = { name: 'help' }

type CommandLine<Line extends { name: string }> = {
  name: string
  /** The words that follow its name, and what they mean. */
  usage: string
  /** Throws a `UsageError` for what it does not understand. */
  read(args: readonly string[]): Line | Help
  /** Runs the command. Returns true if all went well. */
  run(line: Exclude<Line, Help>): Promise<boolean>
}

/** A person can act on their words, and needs no stack. */
const READABLE = [SettingsError, UnopenedError, BackupError, PostgresEndedError]
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Does what this process was called with, or says how it is called. It exits with 2 for a wrong usage. */
export async function runCommandLine<Line extends { name: string }>({
  name,
  usage,
  read,
  run,
}: CommandLine<Line>): Promise<void> {
  const help = `Usage: ${nameCommand(name, usage)}`
  const isTask = (line: Line | Help): line is Exclude<Line, Help> => line.name !== 'help'
  try {
    const line = read(process.argv.slice(2))
    if (isTask(line)) await runCommand(() => run(line))
    else console.log(help)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`${error.message}\n\n${help}`)
    process.exitCode = 2
  }
}

/** Runs a command to its end. The process exits with 0 when all went well, with 1 when not. */
export async function runCommand(run: () => Promise<boolean>): Promise<void> {
  // Whatever was started for it ends with it, and no draft of a file stays.
  for (const signal of SIGNALS) process.once(signal, () => process.exit(1))
  // Not ours to catch: PostgreSQL, started for a command, ends by itself.
  process.once('uncaughtException', (error) => {
    console.error(readableLine(error) ?? error)
    process.exit(1)
  })
  try {
    process.exitCode = (await run()) ? 0 : 1
  } catch (error) {
    const line = readableLine(error)
    if (line === null) throw error
    console.error(line)
    process.exitCode = 1
  }
}

function readableLine(error: unknown): string | null {
  if (READABLE.some((kind) => error instanceof kind)) return error instanceof Error ? error.message : null
  if (!(error instanceof Error) || !(isDatabaseAway(error) || isDatabaseUnwritable(error))) return null
  return `The database broke off (${error.message}). What was done before stays: run this again`
}

/** Returns who runs this, and where. */
export function nameCaller(): string {
  return `${nameUser()}@${hostname()}`
}

/** In a container, the user may be a number alone. */
function nameUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}
