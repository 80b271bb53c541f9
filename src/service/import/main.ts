import { parseArgs } from 'node:util'
import { loadSettings } from '#settings.ts'
import { openServiceDatabase } from '#start/service-database.ts'
import { importFiles } from './import-files.ts'
import { createImportReport } from './import-report.ts'

const USAGE = `Usage: npm run import -- FILE… [--shift-to-now] [--keep-demo]

Reads threat records into the service's database: files of one JSON object a line, gzipped or not. A line is a neutral
feed record (source, source_id, category, …) or a record as /api/v1/threats or /api/feed answers it. Records that are
there already stay as they are. The generated demo records are removed first.

  --shift-to-now   move all dates by one offset, so that the newest record is now
  --keep-demo      leave the demo records beside the imported ones`

const { files, shiftsToNow, keepsDemo } = readArguments()
const settings = loadSettings()
const report = createImportReport(process.stderr)
const database = await openServiceDatabase(settings)
try {
  const counts = await importFiles(database, { files, shiftsToNow, keepsDemo, now: new Date(), ...report })
  report.finish(counts)
  process.exitCode = counts.bad > 0 ? 1 : 0
} finally {
  await database.close()
}

function readArguments() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        'shift-to-now': { type: 'boolean', default: false },
        'keep-demo': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (values.help) return exitWith(0, USAGE)
    if (positionals.length === 0) return exitWith(2, USAGE)
    return { files: positionals, shiftsToNow: values['shift-to-now'], keepsDemo: values['keep-demo'] }
  } catch (error) {
    return exitWith(2, `${error instanceof Error ? error.message : error}\n\n${USAGE}`)
  }
}

function exitWith(code: number, text: string): never {
  console.error(text)
  process.exit(code)
}
