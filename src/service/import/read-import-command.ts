import { parseArgs } from 'node:util'

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

/** A command line that says nothing we understand. The message names the mistake. */
export class ImportUsageError extends Error {}

export function readImportCommand(args: readonly string[]): ImportCommand {
  const { values, positionals } = parse(args)
  if (values.help) return { name: 'help' }
  if (positionals.length === 0) throw new ImportUsageError('Name at least one file')
  return {
    name: 'import',
    files: positionals,
    shiftsToNow: values['shift-to-now'],
    keepsDemo: values['keep-demo'],
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'shift-to-now': { type: 'boolean', default: false },
        'keep-demo': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new ImportUsageError(error instanceof Error ? error.message : String(error))
  }
}
