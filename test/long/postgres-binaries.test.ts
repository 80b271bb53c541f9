import { execFileSync } from 'node:child_process'
import { chmod, chown, cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findPostgresBinaries } from '#database/embedded/postgres-binaries.ts'
import { NOBODY } from '#database/embedded/postgres-user.ts'

let folder = ''
let native = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lantern-binaries-'))
  await chmod(folder, 0o755)
  native = join(folder, 'checkout/linux-x64/native')
  const installed = dirname(await findPostgresBinaries(undefined))
  await cp(installed, dirname(native), { recursive: true, verbatimSymlinks: true })
})
afterEach(() => rm(folder, { recursive: true }))

test('makes the symlinks that an install without scripts lacks', async () => {
  const lib = join(native, 'lib')
  for (const entry of await readdir(lib, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) await rm(join(lib, entry.name))
  }
  await findPostgresBinaries(undefined, native)
  expect(execFileSync(join(native, 'bin/initdb'), ['--version'], { encoding: 'utf8' })).toContain('18')
})

test('runs where it is installed, if its user may enter there', async () => {
  expect(await findPostgresBinaries(NOBODY, native)).toBe(native)
})

// Only root runs PostgreSQL as somebody else.
if (process.getuid?.() === 0) {
  test('runs from a copy, made once, if its user may not enter there', async () => {
    await chmod(join(folder, 'checkout'), 0o700)
    const copy = await findPostgresBinaries(NOBODY, native, [folder])
    expect(dirname(copy)).toBe(folder)
    expect(execFileSync(join(copy, 'bin/initdb'), ['--version'], { ...NOBODY, encoding: 'utf8' })).toContain(
      '18',
    )
    expect(await findPostgresBinaries(NOBODY, native, [folder])).toBe(copy)
  })

  test('runs no copy that another user may have planted', async () => {
    await chmod(join(folder, 'checkout'), 0o700)
    const copy = await findPostgresBinaries(NOBODY, native, [folder])
    await chown(copy, NOBODY.uid, NOBODY.gid)
    await expect(findPostgresBinaries(NOBODY, native, [folder])).rejects.toThrow('cannot be run')
    await chown(copy, 0, 0)
    await chmod(copy, 0o777)
    await expect(findPostgresBinaries(NOBODY, native, [folder])).rejects.toThrow('cannot be run')
  })
}
