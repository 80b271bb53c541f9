import { isHelpWanted, parseCommandLine, UsageError } from '#server/command-line.ts'

export const IMPORT_USAGE = `FILE… [--shift-to-now] [--keep-demo]

Reads threat records into the service's database, of the Lantern that runs or of one that starts later. A file holds one
JSON object a line, gzipped or not; each is a neutral feed record (source, source_id, category, …) or a record as the
API answers it (/api/v1/threats, /api/feed). Records that are there already stay as they are. The generated demo
records are removed before the first real one arrives.

  --shift-to-now  move all dates by one offset, so that the newest record is now
  --keep-demo     leave the demo records beside the imported ones`

export type ImportCommand =
  | { name: 'import'; files: readonly string[]; shiftsToNow: boolean; keepsDemo: boolean }
  | { name: 'help' }

export function readImportCommand(args: readonly string[]): ImportCommand {
  if (isHelpWanted(args)) return { name: 'help' }
  const { values, positionals } = parseCommandLine(args, {
    'shift-to-now': { type: 'boolean', default: false },
    'keep-demo': { type: 'boolean', default: false },
  })
  if (positionals.length === 0) throw new UsageError('Name at least one file')
  return {
    name: 'import',
    files: positionals,
    shiftsToNow: values['shift-to-now'],
    keepsDemo: values['keep-demo'],
  }
}
