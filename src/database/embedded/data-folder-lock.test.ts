import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readState, spawnUnreaped } from '#test/support/spawn-unreaped.ts'
import { DataFolderInUseError, lockDataFolder } from './data-folder-lock.ts'
import { findProcess } from './running-process.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lantern-lock-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('refuses a second holder in one line that names the process and the folder', async () => {
  await lockDataFolder(folder)
  const second = lockDataFolder(folder)
  await expect(second).rejects.toThrow(DataFolderInUseError)
  await expect(second).rejects.toThrow(new RegExp(`^.*${folder}.*${process.pid}.*$`))
})

test('lets the next one in once it is released', async () => {
  const first = await lockDataFolder(folder)
  await first.release()
  await expect(lockDataFolder(folder)).resolves.toBeDefined()
})

test('takes the lock of a process that has ended', async () => {
  await writeFile(join(folder, 'lock.7'), JSON.stringify({ pid: 2 ** 22 + 1, startedAt: 'then' }))
  await lockDataFolder(folder)
  expect(await readdir(folder)).toEqual(['lock.8'])
})

test('takes a lock that a power failure left incomplete', async () => {
  await writeFile(join(folder, 'lock.1'), '\0\0\0\0')
  await expect(lockDataFolder(folder)).resolves.toBeDefined()
})

test('takes the lock of a process whose id another process has now', async () => {
  await writeFile(join(folder, 'lock.1'), JSON.stringify({ pid: process.pid, startedAt: 'an earlier life' }))
  await expect(lockDataFolder(folder)).resolves.toBeDefined()
})

test('takes the lock of a killed process that was not reaped', async () => {
  const holder = `
    import { lockDataFolder } from '${new URL('data-folder-lock.ts', import.meta.url)}'
    await lockDataFolder('${folder}')
    setInterval(() => {}, 1_000)`
  await using parent = spawnUnreaped([process.execPath, '--input-type=module', '-e', holder])
  const pid = await parent.pid
  await expect.poll(() => readdir(folder)).toEqual(['lock.1'])
  await expect(lockDataFolder(folder)).rejects.toThrow(`process ${pid}`)
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => readState(pid)).toBe('Z')
  await expect(lockDataFolder(folder)).resolves.toBeDefined()
})

test.each([
  ['an empty folder', ''],
  ['a folder left by a kill', JSON.stringify({ pid: 2 ** 22 + 1, startedAt: 'then' })],
])('lets exactly one of many in at the same moment: %s', async (_, left) => {
  if (left) await writeFile(join(folder, 'lock.1'), left)
  const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataFolder(folder)))
  expect(attempts.filter((attempt) => attempt.status === 'fulfilled')).toHaveLength(1)
})

test('distinguishes a process from an earlier one with its id', async () => {
  expect(await findProcess(process.pid)).toMatchObject({ startedAt: expect.stringMatching(/\d/) })
  expect(await findProcess(2 ** 22 + 1)).toBeUndefined()
})
