import { AUDIT_USAGE, readAuditCommand, runAuditCommand } from '#bff/accounts/audit/audit-command.ts'
import { prepareDataDir } from '#database/embedded/data-dir.ts'
import { openDashboardDatabase } from '#start/command-database.ts'
import { keepRoomSecrets } from '#start/keep-room-secrets.ts'
import { runCommandLine } from '#start/run-command.ts'
import { loadSettings, type Settings } from '../settings/settings.ts'

await runCommandLine({
  name: 'audit',
  usage: AUDIT_USAGE,
  read: readAuditCommand,
  async run(command) {
    // Only the owner may take something out of the record.
    const settings = loadSettings()
    const as = command.name === 'verify' ? 'runtime' : 'owner'
    const database = await openDashboardDatabase(settings, as)
    try {
      return await runAuditCommand(database, command, {
        print: console.log,
        keptDays: settings.retention.auditDays,
        secrets: command.name === 'erase' ? await readSecrets(settings) : [],
      })
    } finally {
      await database.close()
    }
  },
})

async function readSecrets({ dataDir, secret, secretBefore }: Settings): Promise<string[]> {
  const secrets = await keepRoomSecrets(await prepareDataDir(dataDir), { secret, secretBefore })
  return [secrets.bff, ...(secrets.before ? [secrets.before.bff] : [])]
}
