import { inspect } from 'node:util'
import { describeDatabaseFault } from '#database/database-fault.ts'
import { isRunByNpm } from '#settings/settings.ts'

type Running = {
  close(): Promise<void>
  /** Serves on until load balancers know of the stop. */
  drain?(): Promise<void>
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const REMEDIES = new Map([
  ['ENOSPC', 'its disk is full, make room'],
  ['EDQUOT', 'the quota of its owner is used up, make room'],
  ['EROFS', 'its disk takes no writes, set DATA_DIR to another'],
  ['EACCES', 'give it to the user that Lantern runs as'],
  ['EPERM', 'give it to the user that Lantern runs as'],
])
const CLOSE_TIMEOUT_MS = 20_000
/** Ctrl-C reaches us and npm, which passes it on. */
const SAME_SIGNAL_MS = 1_000
const PARENT_CHECK_MS = 500

/**
 * The life of a server process: starts, runs until a signal or `giveUp`, stops cleanly. Any failure, and what it gives up
 * for, ends it with code 1. SIGTERM is how programs stop it, and drains it first; a person's Ctrl-C does not.
 */
export async function runUntilStopped(
  start: (giveUp: (error: Error) => void) => Promise<Running>,
): Promise<void> {
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
  // Before we are ready, and at a second signal, there is nothing to wait for.
  const exit = () => process.exit(1)
  let onSignal: (signal?: NodeJS.Signals) => void = exit
  let exitCode = 0
  for (const signal of SIGNALS) process.on(signal, () => onSignal(signal))
  if (isRunByNpm()) pollParent(() => onSignal())
  try {
    const running = await start((error) => {
      if (exitCode === 0) console.error(describe(error))
      exitCode = 1
      onSignal()
    })
    const stoppedBy = await new Promise<NodeJS.Signals | undefined>((resolve) => {
      onSignal = resolve
    })
    onSignal = () => {}
    setTimeout(() => {
      onSignal = exit
    }, SAME_SIGNAL_MS).unref()
    if (stoppedBy === 'SIGTERM') await running.drain?.()
    setTimeout(() => crash(new Error('Stopping took too long')), CLOSE_TIMEOUT_MS).unref()
    await running.close()
    process.exit(exitCode)
  } catch (error) {
    console.error(describe(error))
    process.exit(1)
  }
}

/** npm passes on SIGINT and SIGTERM, and nothing when it ends in another way. */
function pollParent(onGone: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onGone()
  }, PARENT_CHECK_MS).unref()
}

/** Our own messages say what to do, and those of the system which file they are about; of any other error a developer needs the stack. */
function describe(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const remedy = REMEDIES.get(code)
  if (remedy) return `${fileOf(error)} cannot be written (${code}): ${remedy}, then start again`
  const fault = describeDatabaseFault(error, null)
  if (fault !== null) return fault
  const isOurs = error instanceof Error && error.name === 'Error' && !('code' in error)
  return isOurs ? error.message : inspect(error)
}

function fileOf(error: unknown): string {
  return error instanceof Error && 'path' in error ? String(error.path) : 'A file in DATA_DIR'
}

/** The last resort: an error that nobody handled leaves the process in a state that nobody knows. */
function crash(error: unknown): never {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const time = new Date().toISOString()
  console.error(JSON.stringify({ time, level: 'error', event: 'crash', message, stack }))
  process.exit(1)
}
