import { throwReadable } from '#start/command-database.ts'
import { migrateRoom } from '#start/open-migrated.ts'
import { runCommand } from '#start/run-command.ts'
import { loadSettings, SettingsError } from '../settings/settings.ts'

await runCommand(async () => {
  const { databaseOwnerUrl } = loadSettings()
  if (!databaseOwnerUrl)
    throw new SettingsError(
      'DATABASE_OWNER_URL must be set to the role that owns the dashboard’s database; the embedded one is migrated by each start',
    )
  await migrateRoom('bff', databaseOwnerUrl, 'DATABASE_OWNER_URL').catch(throwReadable("The dashboard's"))
  console.log('The dashboard’s database is up to date')
  return true
})
