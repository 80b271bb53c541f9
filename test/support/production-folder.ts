import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const packages = z.record(z.string(), z.string())
const packageSchema = z.object({ dependencies: packages, optionalDependencies: packages })

export type ProductionFolder = { path: string; [Symbol.asyncDispose](): Promise<void> }

/** What `npm ci --omit=dev` leaves of this project: Lantern, and the packages that it declares to need. */
export async function makeProductionFolder({ isBuilt }: { isBuilt: boolean }): Promise<ProductionFolder> {
  const path = await mkdtemp(join(tmpdir(), 'lantern-production-'))
  for (const name of ['package.json', 'src', 'index.html', 'vite.config.ts']) {
    await cp(join(ROOT, name), join(path, name), { recursive: true })
  }
  if (isBuilt) {
    await mkdir(join(path, 'dist'))
    await writeFile(join(path, 'dist/index.html'), '<title>Built elsewhere</title>')
  }
  for (const name of await listProductionPackages()) {
    const link = join(path, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(ROOT, 'node_modules', name), link)
  }
  // By this path npm finds the right Node, where it comes with the packages.
  await mkdir(join(path, 'node_modules/.bin'))
  await symlink(process.execPath, join(path, 'node_modules/.bin/node'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

async function listProductionPackages(): Promise<string[]> {
  const text = await readFile(join(ROOT, 'package.json'), 'utf8')
  const { dependencies, optionalDependencies } = packageSchema.parse(JSON.parse(text))
  return Object.keys({ ...dependencies, ...optionalDependencies })
}
