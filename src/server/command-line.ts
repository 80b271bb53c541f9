import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** A command line that Lantern does not understand. The message names the mistake. */
export class UsageError extends Error {}

/** Reads options and other words, and `--help` or the word `help`. Unknown options are mistakes. */
export function parseCommandLine<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    return { values, positionals }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** Returns true if the user wants to know how a command is used. */
export function isHelpWanted(args: readonly string[]): boolean {
  return args[0] === 'help' || args.includes('--help') || args.includes('-h')
}
