import { prepareDataDir } from '#database/embedded/data-dir.ts'
import { chooseServiceDatabase } from '#start/choose-databases.ts'
import { keepRoomSecrets } from '#start/keep-room-secrets.ts'
import { nameCommand } from '#start/name-command.ts'
import { runUntilStopped } from '#start/run-until-stopped.ts'
import { startAll } from '#start/start-all.ts'
import { startOwnService } from '#start/start-own-service.ts'
import { loadSettings } from './settings.ts'

const NO_DASHBOARD =
  'Links in messages of alerts lead nowhere until DASHBOARD_URL says where the dashboard is'

await runUntilStopped(() =>
  startAll(async (closers) => {
    const settings = loadSettings()
    const dataDir = await prepareDataDir(settings.dataDir)
    const databaseUrl = await chooseServiceDatabase(settings, { dataDir, closers })
    const { service: secret, before } = await keepRoomSecrets(dataDir, settings)
    const { service, delivery, proxy, hasDemo, node } = settings
    const { dashboardUrl } = service
    const { url } = await startOwnService({
      databaseUrl,
      node,
      address: service.address,
      secret,
      secretBefore: before?.service,
      delivery: { ...delivery, proxy, dashboardUrl: dashboardUrl ?? service.address.publicUrl },
      hasDemo,
      logs: 'requests',
      closers,
    })
    if (dashboardUrl === undefined) console.log(NO_DASHBOARD)
    console.log(`The service answers at ${url}. Keys: ${nameCommand('keys', 'create')}`)
  }),
)
