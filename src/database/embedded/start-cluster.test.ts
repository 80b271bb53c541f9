import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { NOBODY } from './postgres-user.ts'
import { readPostmaster } from './postmaster.ts'
import { startCluster } from './start-cluster.ts'

const HOUR_MS = 3_600_000

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lantern-cluster-'))
  if (process.getuid?.() === 0) await chown(folder, NOBODY.uid, NOBODY.gid)
})
afterAll(() => rm(folder, { recursive: true }))

const start = (settings = {}, log: (chunk: Buffer) => void = () => {}) =>
  startCluster({ folder, password: 'of the tests', log, settings })

test('waits while PostgreSQL recovers, however long that takes', async ({ onTestFinished }) => {
  await (await start()).stop()
  const signal = join(folder, 'data/recovery.signal')
  await writeFile(signal, '')
  await chmod(signal, 0o666)
  const isOver = join(folder, 'is-over')
  const restore = `while [ ! -e ${isOver} ]; do sleep 0.05; done; false`
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())

  const starting = start({ restore_command: restore, hot_standby: 'off' })
  await expect.poll(async () => (await readPostmaster(join(folder, 'data')))?.status).toBe('starting')
  vi.setSystemTime(Date.now() + HOUR_MS)
  await Promise.race([starting, sleep(100)])
  await writeFile(isOver, '')
  await (await starting).stop()
})

test('leaves none running that did not become ready', async ({ onTestFinished }) => {
  let hours = 0
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => hours++ * HOUR_MS)
  onTestFinished(() => clock.mockRestore())
  await expect(start()).rejects.toThrow('PostgreSQL did not become ready')
  clock.mockRestore()
  await (await start()).stop()
})

test('does not try again what would fail again', async () => {
  const output: string[] = []
  const starting = start({ shared_preload_libraries: 'none_such' }, (chunk) => output.push(String(chunk)))
  await expect(starting).rejects.toThrow('none_such')
  expect(output.join('').match(/FATAL/g)).toHaveLength(1)
})
