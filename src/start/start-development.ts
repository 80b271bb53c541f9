import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { environmentWith, type Settings } from '#settings/settings.ts'
import type { ChosenDatabases } from './choose-databases.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

/** The app with hot reload, at the address that browsers use; its requests to the BFF are proxied to the servers. */
export async function startViteServer({ host, port }: Settings, serversUrl: string) {
  const vite = await createServer({
    logLevel: 'warn',
    server: {
      host,
      port,
      strictPort: true,
      proxy: { '/bff': serversUrl, '/feeds': serversUrl, '^/sign-in(\\?|$)': serversUrl },
    },
  })
  await vite.listen()
  return vite
}

/** The service and the BFF in a process that starts anew when a file of theirs changes. */
export async function startWatchedServers({ publicUrl }: Settings, databases: ChosenDatabases) {
  const port = await findFreePort()
  const child = spawn(process.execPath, ['--watch', '--watch-preserve-output', MAIN, '--without-app'], {
    stdio: 'inherit',
    env: environmentWith({
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: publicUrl,
      DATABASE_URL: databases.bff.url,
      DATABASE_OWNER_URL: databases.bff.ownerUrl,
      SERVICE_DATABASE_URL: databases.service,
    }),
  })
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
  return { url: `http://127.0.0.1:${port}`, close }
}
