import { prepareDataDir } from '#database/embedded/data-dir.ts'
import { chooseServiceDatabase } from '#start/choose-databases.ts'
import { keepRoomSecrets } from '#start/keep-room-secrets.ts'
import { countWaitingMessages } from '#start/move-service-ledger.ts'
import { nameCommand } from '#start/name-command.ts'
import { runUntilStopped } from '#start/run-until-stopped.ts'
import { startAll } from '#start/start-all.ts'
import { startOwnService } from '#start/start-own-service.ts'
import { loadSettings } from '../settings/settings.ts'

const SENDS_NOTHING =
  'The service stores alert profiles and sends no messages. A dashboard with a key of the same account sends them.'
const WAITING = (count: number) =>
  `Messages of an earlier version wait in the service's database: ${count}. They are sent once a dashboard is started beside it.`

await runUntilStopped(() =>
  startAll(async (closers) => {
    const settings = loadSettings()
    const dataDir = await prepareDataDir(settings.dataDir)
    const databaseUrl = await chooseServiceDatabase(settings, { dataDir, closers })
    const { service: secret, before } = await keepRoomSecrets(dataDir, settings)
    const { service, hasDemo } = settings
    const { url, database } = await startOwnService({
      databaseUrl,
      address: service.address,
      secret,
      secretBefore: before?.service,
      hasDemo,
      logs: 'requests',
      closers,
    })
    console.log(`The service answers at ${url}. Keys: ${nameCommand('keys', 'create')}`)
    console.log(SENDS_NOTHING)
    const waiting = await countWaitingMessages(database)
    if (waiting > 0) console.warn(WAITING(waiting))
  }),
)
