import { importFiles } from '#service/import/import-files.ts'
import { createImportReport } from '#service/import/import-report.ts'
import { IMPORT_USAGE, ImportUsageError, readImportCommand } from '#service/import/read-import-command.ts'
import { runCommand } from '#start/run-command.ts'
import { openServiceDatabase } from '#start/service-database.ts'
import { loadSettings } from './settings.ts'

await runCommand(
  async () => {
    const command = readImportCommand(process.argv.slice(2))
    if (command.name === 'help') {
      console.log(IMPORT_USAGE)
      return true
    }
    const database = await openServiceDatabase(loadSettings())
    try {
      const report = createImportReport(process.stderr)
      const counts = await importFiles(database, { ...command, ...report, now: new Date() })
      report.finish(counts)
      // A line that could not be used is a failure, though the others are in.
      return counts.bad === 0
    } finally {
      await database.close()
    }
  },
  { text: IMPORT_USAGE, Mistake: ImportUsageError },
)
