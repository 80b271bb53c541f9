import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { readPostmaster } from '#database/embedded/postmaster.ts'
import { findProcess } from '#database/embedded/running-process.ts'
import { makePreparedDataDir } from '../support/data-dir.ts'
import { makeProductionFolder } from '../support/production-folder.ts'
import { type RunningLantern, spawnLantern, startLantern } from '../support/start-lantern.ts'

const TIMEOUT_MS = 120_000
const ENDED_WITHIN_MS = 10_000
const settings = { DEMO: 'off' }

let dataDir = ''
beforeEach(async () => {
  dataDir = await makePreparedDataDir()
})
afterEach(() => rm(dataDir, { recursive: true }))

test.each([
  { name: 'SIGTERM to npm alone', signal: 'SIGTERM', group: false, npmExit: 0 },
  { name: 'Ctrl-C, which reaches npm and Lantern', signal: 'SIGINT', group: true, npmExit: 0 },
  { name: 'SIGHUP to npm alone, which does not pass it on', signal: 'SIGHUP', group: false, npmExit: null },
] as const)(
  'completes running requests, accepts no others, and ends within 10 s of $name',
  { timeout: TIMEOUT_MS },
  async ({ signal, group, npmExit }) => {
    await using folder = await makeProductionFolder({ isBuilt: true })
    const npm = await startLantern({ dataDir, settings, cwd: folder.path, command: ['npm', 'start'] })
    expect(await (await fetch(npm.url)).text()).toContain('Built elsewhere')
    const pids = await findProcesses()
    const listRunning = async () => {
      const found = await Promise.all(pids.map(findProcess))
      return pids.filter((_, at) => found[at])
    }
    onTestFinished(async () => {
      for (const left of await listRunning()) process.kill(left, 'SIGKILL')
    })
    const [finished, neverFinished] = [await beginReport(npm), await beginReport(npm)]

    const reportedAtMs = performance.now()
    const pid = npm.child.pid ?? expect.fail()
    const npmEnded = once(npm.child, 'exit')
    process.kill(group ? -pid : pid, signal)
    await sleep(1_500)
    // No load balancer has to notice.
    await expect(fetch(npm.url)).rejects.toThrow()
    expect(await finished.end()).toContain('HTTP/1.1 204 ')
    await expect.poll(listRunning, { timeout: ENDED_WITHIN_MS }).toEqual([])
    expect(performance.now() - reportedAtMs).toBeLessThan(ENDED_WITHIN_MS)
    expect((await npmEnded)[0]).toBe(npmExit)
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).toMatch(/database system is shut down\n$/)
    neverFinished.socket.destroy()
  },
)

test('says in one line what to do where there is neither an app nor what builds it', {
  timeout: TIMEOUT_MS,
}, async () => {
  await using folder = await makeProductionFolder({ isBuilt: false })
  const command = [process.execPath, 'src/main.ts'] as const
  const lantern = await spawnLantern({ dataDir, settings, cwd: folder.path, command })
  await once(lantern.child, 'close')
  expect(lantern.output()).toMatch(/^The app is not built.*: run npm ci && npm run build.*\n$/)
  expect(lantern.child.exitCode).toBe(1)
})

test.each(['start', 'dev', 'service'])(
  'says in one line that its Node is too old to npm run %s',
  {
    timeout: TIMEOUT_MS,
  },
  async (script) => {
    await using folder = await makeProductionFolder({ isBuilt: true })
    const withoutArgon2 = 'data:text/javascript,import crypto from "node:crypto"; delete crypto.argon2'
    const lantern = await spawnLantern({
      dataDir,
      settings: { NODE_OPTIONS: `--import ${JSON.stringify(withoutArgon2.replaceAll('"', "'"))}` },
      cwd: folder.path,
      command: ['npm', 'run', '--silent', script],
    })
    await once(lantern.child, 'close')
    const engine = /"node": "(>=[\d.]+)"/.exec(await readFile('package.json', 'utf8'))?.[1]
    expect(lantern.output()).toMatch(/^Lantern needs Node .*\n$/)
    expect(lantern.output()).toContain(` ${engine}, and this is ${process.version}`)
    expect(lantern.child.exitCode).toBe(1)
  },
)

/** Lantern, which its lock names, and its PostgreSQL. */
async function findProcesses(): Promise<number[]> {
  const lock = (await readdir(dataDir)).find((name) => /^lock\.\d+$/.test(name)) ?? expect.fail()
  const { pid } = JSON.parse(await readFile(join(dataDir, lock), 'utf8'))
  const postmaster = await readPostmaster(join(dataDir, 'postgres/data'))
  return [pid, postmaster?.pid ?? expect.fail()]
}

/** A request whose body is still on its way. */
async function beginReport({ url }: RunningLantern) {
  const { host, port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  const headers = ['Content-Type: application/reports+json', 'Content-Length: 2']
  socket.write(`POST /bff/csp-report HTTP/1.1\r\nHost: ${host}\r\n${headers.join('\r\n')}\r\n\r\n[`)
  // It has arrived once one that was sent after it is answered.
  await fetch(`${url}/healthz`)
  return {
    socket,
    async end(): Promise<string> {
      const answered = once(socket, 'data')
      socket.write(']')
      return String((await answered)[0])
    },
  }
}
