import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { composeSbom } from '../deploy/sbom.ts'

const HASH = Buffer.alloc(64, 7)
const PACKAGE = { version: '1.2.3', license: 'MIT', integrity: `sha512-${HASH.toString('base64')}` }

test('an SBOM names what a release installs and what its app is built of, each with its hash', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lantern-sbom-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const write = (path: string, value: unknown) => writeFile(join(folder, path), JSON.stringify(value))
  await mkdir(join(folder, 'node_modules/installed'), { recursive: true })
  await write('node_modules/installed/package.json', { name: 'installed', ...PACKAGE })
  await write('package.json', {
    name: 'lantern',
    version: '1.0.0',
    dependencies: { installed: '1.2.3' },
    devDependencies: { absent: '1.0.0' },
  })
  const paths = ['node_modules/installed', 'node_modules/@scope/built']
  await write('lock.json', { packages: Object.fromEntries(paths.map((path) => [path, PACKAGE])) })
  const compose = (bundled: readonly string[]) =>
    composeSbom({ folder, lockFile: join(folder, 'lock.json'), bundled, date: new Date(0) })

  const sbom: unknown = JSON.parse(await compose(['node_modules/@scope/built']))
  const hashes = [{ alg: 'SHA-512', content: HASH.toString('hex') }]
  expect(sbom).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: { timestamp: new Date(0).toISOString() },
    components: [
      { 'bom-ref': 'installed@1.2.3', hashes },
      { 'bom-ref': '@scope/built@1.2.3', purl: 'pkg:npm/%40scope/built@1.2.3', hashes },
    ],
    dependencies: expect.arrayContaining([{ ref: '@scope/built@1.2.3' }]),
  })
  await expect(compose(['node_modules/unknown'])).rejects.toThrow('is in the app, and not in the lock')
})
