import { prepareDataDir } from '#database/embedded/data-dir.ts'
import { chooseDatabases } from '#start/choose-databases.ts'
import { refuseTakenPort } from '#start/refuse-taken-port.ts'
import { runUntilStopped } from '#start/run-until-stopped.ts'
import { startAll } from '#start/start-all.ts'
import { startViteServer, startWatchedServers } from '#start/start-development.ts'
import { loadSettings } from '../settings/settings.ts'

await runUntilStopped(() =>
  startAll(async (closers) => {
    const settings = loadSettings()
    const dataDir = await prepareDataDir(settings.dataDir)
    // PostgreSQL stays while the servers come and go with each change.
    const databases = await chooseDatabases(settings, { dataDir, closers })
    await refuseTakenPort('PORT', settings)
    const servers = await startWatchedServers(settings, databases)
    closers.add(servers.close)
    const vite = await startViteServer(settings, servers.url)
    closers.add(vite.close)
  }),
)
