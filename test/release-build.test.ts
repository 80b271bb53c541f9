import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import packageFacts from '#package.json' with { type: 'json' }
import { readBuild } from '#start/read-build.ts'
import { nameRelease, stampPackage } from '../deploy/release-build.ts'

const BUILD = { version: packageFacts.version, commit: '0123456789ab-dirty' }

test('a release is called after its version and its commit', () => {
  expect(nameRelease({ version: '1.2.3', commit: '0123456789ab' })).toBe(
    'lantern-1.2.3-0123456789ab-linux-x64',
  )
})

test('what was unpacked knows its commit without git, and is otherwise the package that it was', async () => {
  const text = await readFile('package.json', 'utf8')
  const stamped: unknown = JSON.parse(stampPackage(text, BUILD))
  expect(await readBuild('/nonexistent', stamped)).toEqual(BUILD)
  expect(stamped).toEqual({ ...JSON.parse(text), gitHead: BUILD.commit })
})

test('the lock has the version of the package', async () => {
  expect(JSON.parse(await readFile('package-lock.json', 'utf8'))).toMatchObject({
    version: packageFacts.version,
    packages: { '': { version: packageFacts.version } },
  })
})
