import { prepareDataDir } from '#database/embedded/data-dir.ts'
import { chooseServiceDatabase } from '#start/choose-databases.ts'
import { keepRoomSecrets } from '#start/keep-room-secrets.ts'
import { runUntilStopped } from '#start/run-until-stopped.ts'
import { startAll } from '#start/start-all.ts'
import { startOwnService } from '#start/start-own-service.ts'
import { loadSettings } from './settings.ts'

await runUntilStopped(() =>
  startAll(async (closers) => {
    const settings = loadSettings()
    const dataDir = await prepareDataDir(settings.dataDir)
    const databaseUrl = await chooseServiceDatabase(settings, { dataDir, closers })
    const { service: secret } = await keepRoomSecrets(dataDir, settings.secret)
    const { service, hasDemo } = settings
    const { url } = await startOwnService({
      databaseUrl,
      address: service.address,
      secret,
      hasDemo,
      logs: 'requests',
      closers,
    })
    console.log(`The service answers at ${url}. Keys: npm run keys -- create`)
  }),
)
