import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBoundedLog } from './bounded-log.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lantern-log-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('keeps two files of limited size, the newest lines in the first, over restarts', async () => {
  const file = join(folder, 'postgres.log')
  for (let line = 1; line <= 20; line++) createBoundedLog(file, 30)(Buffer.from(`line ${line}\n`))
  expect(await readFile(file, 'utf8')).toMatch(/line 20\n$/)
  expect((await stat(file)).size).toBeLessThanOrEqual(30)
  expect((await stat(`${file}.1`)).size).toBeLessThanOrEqual(30)
  expect((await stat(file)).mode & 0o077).toBe(0)
})
