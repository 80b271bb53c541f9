import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { environmentWith } from '#settings/settings.ts'
import { makePreparedDataDir } from './data-dir.ts'

/** The first account of every Lantern that tests start. */
export const ADMIN = { email: 'ada@lantern.example', password: 'correct horse battery' }

export type LanternOptions = {
  /** A fresh one, removed at the end, unless given. */
  dataDir?: string
  settings?: Record<string, string>
  /** Arguments of the command. */
  flags?: string[]
  /** What runs it: Node on this project unless given. Leads a group of processes. */
  command?: readonly [string, ...string[]]
  /** Where it is started. */
  cwd?: string
}

export type RunningLantern = {
  url: string
  serviceUrl: string
  dataDir: string
  child: ChildProcess
  /** What it has said so far. */
  output(): string
  /** Ends it and answers its exit code; null after a kill. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const READY_TIMEOUT_MS = 90_000

/** Runs what `npm start` runs, on free ports, and waits until it may take traffic. */
export async function startLantern(options: LanternOptions = {}): Promise<RunningLantern> {
  const lantern = await spawnLantern(options)
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < deadline && lantern.child.exitCode === null) {
    const hasSaidSo = lantern.output().includes('  Ready')
    if (hasSaidSo && (await isReady(lantern.url))) return lantern
    await sleep(50)
  }
  await lantern.stop('SIGKILL')
  throw new Error(`Lantern did not become ready:\n${lantern.output()}`)
}

/** The same without waiting, for a start that is to fail. */
export async function spawnLantern({
  dataDir,
  settings,
  flags = [],
  command: [program, ...words] = [process.execPath, MAIN],
  cwd = process.cwd(),
}: LanternOptions): Promise<RunningLantern> {
  const port = settings?.PORT ?? (await findFreePort())
  const servicePort = settings?.SERVICE_PORT ?? (await findFreePort())
  const folder = dataDir ?? (await makePreparedDataDir())
  const child = spawn(program, [...words, ...flags], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environmentWith({
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
      SERVICE_PORT: String(servicePort),
      DATA_DIR: folder,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ...settings,
    }),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  }
  const closed = once(child, 'close')
  return {
    url: `http://localhost:${port}`,
    serviceUrl: `http://127.0.0.1:${servicePort}`,
    dataDir: folder,
    child,
    output: () => output,
    async stop(signal = 'SIGINT') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await closed
      if (!dataDir) await rm(folder, { recursive: true, force: true })
      return child.exitCode
    },
  }
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    (response) => response.ok,
    () => false,
  )
}
