import { importFiles } from '#service/import/import-files.ts'
import { createImportReport } from '#service/import/import-report.ts'
import { IMPORT_USAGE, readImportCommand } from '#service/import/read-import-command.ts'
import { openServiceDatabase } from '#start/command-database.ts'
import { runCommandLine } from '#start/run-command.ts'
import { findCallersFolder, loadSettings } from '../settings/settings.ts'

await runCommandLine({
  name: 'import',
  usage: IMPORT_USAGE,
  read: readImportCommand,
  async run(command) {
    const database = await openServiceDatabase(loadSettings())
    try {
      const report = createImportReport(process.stderr)
      const counts = await importFiles(database, {
        ...command,
        ...report,
        folder: findCallersFolder(),
        now: new Date(),
      })
      report.finish(counts)
      // A line that could not be used is a failure, though the others are in.
      return counts.bad === 0
    } finally {
      await database.close()
    }
  },
})
