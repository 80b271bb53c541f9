import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readBuild } from './read-build.ts'

const IDENTITY = ['-c', 'user.name=Ada', '-c', 'user.email=ada@lantern.example']

test('reads the commit of a clone or a release, and marks changed files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lantern-build-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const git = (...words: string[]) => execFileSync('git', words, { cwd: folder, encoding: 'utf8' }).trim()
  expect(await readBuild(folder, { version: '1.2.3' })).toEqual({ version: '1.2.3', commit: 'unknown' })

  git('init', '-q')
  await writeFile(join(folder, 'a'), 'one')
  git('add', 'a')
  git(...IDENTITY, 'commit', '-qm', 'one')
  const commit = git('rev-parse', '--short=12', 'HEAD')
  git('tag', 'v9.9.9')
  expect(await readBuild(folder, { version: '1.2.3' })).toEqual({ version: '1.2.3', commit })
  await writeFile(join(folder, 'a'), 'two')
  expect(await readBuild(folder, { version: '1.2.3' })).toEqual({
    version: '1.2.3',
    commit: `${commit}-dirty`,
  })
  expect(await readBuild(folder, { version: '1.2.3', gitHead: 'f00' })).toMatchObject({ commit: 'f00' })
})
