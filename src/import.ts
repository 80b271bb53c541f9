import { importFiles } from '#service/import/import-files.ts'
import { createImportReport } from '#service/import/import-report.ts'
import {
  IMPORT_USAGE,
  type ImportCommand,
  ImportUsageError,
  readImportCommand,
} from '#service/import/read-import-command.ts'
import { openServiceDatabase } from '#start/service-database.ts'
import { loadSettings, SettingsError } from './settings.ts'

try {
  const command = readImportCommand(process.argv.slice(2))
  process.exitCode = (await run(command)) ? 0 : 1
} catch (error) {
  if (error instanceof ImportUsageError) {
    console.error(`${error.message}\n\n${IMPORT_USAGE}`)
    process.exitCode = 2
  } else if (error instanceof SettingsError) {
    console.error(error.message)
    process.exitCode = 1
  } else {
    throw error
  }
}

/** False when any line could not be used. */
async function run(command: ImportCommand): Promise<boolean> {
  if (command.name === 'help') {
    console.log(IMPORT_USAGE)
    return true
  }
  const database = await openServiceDatabase(loadSettings())
  try {
    const report = createImportReport(process.stderr)
    const counts = await importFiles(database, { ...command, ...report, now: new Date() })
    report.finish(counts)
    return counts.bad === 0
  } finally {
    await database.close()
  }
}
