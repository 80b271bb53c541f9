import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, inject, onTestFinished, test } from 'vitest'
import { serveWhenElected } from '#bff/store/sync/election.ts'
import { awaitDatabase } from '#database/await-database.ts'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { findPostgresBinaries } from '#database/embedded/postgres-binaries.ts'
import { findPostgresUser, NOBODY } from '#database/embedded/postgres-user.ts'
import { startCluster } from '#database/embedded/start-cluster.ts'
import { isDatabaseAway } from '#database/is-database-away.ts'
import { listen } from '#database/listen.ts'
import { openDatabase } from '#database/open-database.ts'
import { makeDataDir } from '../support/data-dir.ts'
import { openTunnel } from '../support/open-tunnel.ts'
import { takeDatabase } from '../support/with-database.ts'

const HOLDER = fileURLToPath(new URL('../support/hold-lock.ts', import.meta.url))
/** PostgreSQL ends a connection that is silent for 20 s. A candidate requests the lock every 3 s. */
const TAKEN_OVER_MAX_MS = 26_000
/** Lantern checks its connection every 5 s, and waits at most 5 s for the answer. */
const NOTICED_MAX_MS = 12_000

test('a stopped process loses its lead and its locks', { timeout: 60_000 }, async ({ annotate }) => {
  const database = await takeDatabase('bff')
  const holder = spawn(process.execPath, [HOLDER, database.pool.options.connectionString ?? ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')

  const ending = new AbortController()
  const elected = Promise.withResolvers<void>()
  const serving = serveWhenElected({
    pool: database.pool,
    signal: ending.signal,
    serve: async (signal) => {
      elected.resolve()
      await once(signal, 'abort')
    },
    onError: (error) => expect.unreachable(String(error)),
  })
  // As long as it is only quiet, it leads.
  await sleep(TAKEN_OVER_MAX_MS)
  expect(await Promise.race([elected.promise.then(() => 'elected'), sleep(0, 'waiting')])).toBe('waiting')
  holder.kill('SIGSTOP')
  const stoppedMs = performance.now()
  await elected.promise
  const tookMs = Math.round(performance.now() - stoppedMs)
  await annotate(`took over after ${tookMs} ms`)
  expect(tookMs).toBeLessThan(TAKEN_OVER_MAX_MS)
  ending.abort()
  await serving
})

test('a stalled transaction releases the rows that it locked', { timeout: 60_000 }, async () => {
  const database = await takeDatabase('empty')
  await database.query('create table budget as select 5 as left_over')
  const forgotten = database.transaction(async (tx) => {
    await tx.query('update budget set left_over = 0')
    await sleep(TAKEN_OVER_MAX_MS)
    await tx.query('select 1')
  })
  const isRefused = forgotten.then(
    () => false,
    () => true,
  )
  await sleep(500)
  const startedMs = performance.now()
  const take = () =>
    database.query('update budget set left_over = left_over - 1').then(
      () => true,
      () => false,
    )
  await expect.poll(take, { timeout: TAKEN_OVER_MAX_MS }).toBe(true)
  expect(performance.now() - startedMs).toBeGreaterThan(5_000)
  expect(await isRefused).toBe(true)
  expect((await database.query('select left_over from budget')).rows).toEqual([{ left_over: 4 }])
})

test('a listener soon detects that notices no longer arrive, and receives them again', {
  timeout: 60_000,
}, async () => {
  const address = new URL(`${inject('clusterUrl')}postgres`)
  const tunnel = await openTunnel({ host: address.hostname, port: Number(address.port) })
  address.port = String(tunnel.port)
  const database = await openDatabase({ url: address.href })
  const heard: string[] = []
  const channel = {
    name: 'of_this_test',
    onNotice: (payload: string) => void heard.push(payload),
    onHearing: () => void heard.push('hearing'),
    onDeaf: () => void heard.push('deaf'),
  }
  const stop = await listen(database.pool, [channel], () => {})
  tunnel.freeze()
  await expect.poll(() => heard, { timeout: NOTICED_MAX_MS }).toEqual(['hearing', 'deaf'])
  tunnel.thaw()
  await expect.poll(() => heard.at(-1), { timeout: NOTICED_MAX_MS }).toBe('hearing')
  await database.query(`notify of_this_test, 'after'`)
  await expect.poll(() => heard.at(-1)).toBe('after')
  await stop()
  await database.close()
  await tunnel.cut()
})

test('does not read from a standby, and uses it once it is the primary', { timeout: 60_000 }, async () => {
  const { url, child, password, folder, promoteFile } = await startStandby()
  onTestFinished(async () => {
    child.kill('SIGINT')
    await once(child, 'exit')
    await rm(folder, { recursive: true })
  })
  const open = () => openDatabase({ url, max: 1 })
  await expect
    .poll(() => open().catch((error: Error) => error.message), { timeout: 20_000 })
    .toBe('The server is a standby')
  expect(isDatabaseAway(await open().catch((error: unknown) => error))).toBe(true)
  const said: string[] = []
  const wait = (waitMs: number) =>
    awaitDatabase({ url, setting: 'DATABASE_URL', say: (line) => void said.push(line), waitMs })
  await expect(wait(100)).rejects.toThrow(
    /takes no writes: The server is a standby. Set DATABASE_URL to one that is no standby/,
  )

  const waiting = wait(20_000)
  await writeFile(promoteFile, '')
  child.kill('SIGUSR1')
  await waiting
  expect(said.join()).toContain('waiting up to 20 s')
  expect(said.join()).not.toContain(password)
  const database = await open()
  await database.query('create table kept as select 1 as one')
  await database.close()
})

type Standby = { url: string; password: string; folder: string; child: ChildProcess; promoteFile: string }

/** A PostgreSQL that recovers for good, as one does that follows another. */
async function startStandby(): Promise<Standby> {
  const folder = await makeDataDir()
  if (process.getuid?.() === 0) await chown(folder, NOBODY.uid, NOBODY.gid)
  const password = 'of-the-standby'
  const cluster = await startCluster({ folder, password, log: () => {} })
  const port = await findFreePort()
  const url = new URL(cluster.url('postgres'))
  url.port = String(port)
  await cluster.stop()
  const data = join(folder, 'data')
  await writeFile(join(data, 'standby.signal'), '')
  const user = await findPostgresUser(folder)
  const program = join(await findPostgresBinaries(user), 'bin/postgres')
  const child = spawn(program, ['-D', data, '-c', 'unix_socket_directories=', '-p', String(port)], {
    ...user,
    stdio: 'ignore',
  })
  return { url: url.href, password, folder, child, promoteFile: join(data, 'promote') }
}
