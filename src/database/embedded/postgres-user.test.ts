import { chown, lstat, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ensureSystemUser, handOverFolder, NOBODY } from './postgres-user.ts'

const isRoot = process.getuid?.() === 0
const SELF = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
const OTHER = isRoot ? { uid: 4_242, gid: 4_243 } : SELF

test('makes a system user once, where we may', async () => {
  const { notice: _, ...made } = await ensureSystemUser()
  const { notice, ...found } = await ensureSystemUser()
  expect(found).toEqual(made)
  expect(isRoot ? found.uid : 1).toBeLessThan(1_000)
  expect(notice).toEqual(isRoot ? null : expect.stringContaining('runs as nobody'))
})

test('uses the user nobody if it cannot create one, and reports that', async () => {
  expect(await ensureSystemUser([['no-such-tool'], ['false', 'true']], 'lantern-no-such-user')).toEqual({
    ...NOBODY,
    notice: 'runs as nobody: no system user lantern-no-such-user could be made',
  })
})

test('hands over a folder with all in it, and nothing that a link leads to', async ({ onTestFinished }) => {
  const parent = await mkdtemp(join(tmpdir(), 'lantern-handed-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  const [folder, outside] = [join(parent, 'postgres'), join(parent, 'outside')]
  await mkdir(join(folder, 'data/base'), { recursive: true })
  await writeFile(join(folder, 'data/base/1'), '')
  await writeFile(outside, '')
  await symlink(outside, join(folder, 'data/link'))
  await symlink(outside, join(folder, 'link'))
  await chown(folder, NOBODY.uid, NOBODY.gid)

  await handOverFolder(folder, { uid: 4_242, gid: 4_243 })

  for (const name of ['', 'data', 'data/base', 'data/base/1', 'data/link', 'link'])
    expect(await lstat(join(folder, name))).toMatchObject(OTHER)
  expect(await lstat(outside)).toMatchObject(SELF)
})
