import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { CHILD_ENVIRONMENT } from '#database/embedded/child-environment.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SOURCES = [
  'src/app',
  'src/contract',
  'src/matcher',
  'public',
  'index.html',
  'vite.config.ts',
  'package.json',
]
const VITE = 'node_modules/vite/bin/vite.js'
const packageSchema = z.object({ devDependencies: z.record(z.string(), z.string()) })

/** The folder of the built app. */
export const APP_FOLDER = join(ROOT, 'dist')

/** Builds the app if it was never built or has changed since. */
export async function buildAppIfNeeded(root = ROOT): Promise<void> {
  if (await needsBuild(root)) await buildApp(root)
}

export async function needsBuild(root: string): Promise<boolean> {
  const builtAt = await changedAt(join(root, 'dist/index.html'))
  // An installation for production has no build tools, and its app came built.
  if (builtAt > 0 && !(await canBuild(root))) return false
  const changes = await Promise.all(SOURCES.map((source) => newestChange(join(root, source))))
  return Math.max(...changes) >= builtAt
}

/** Vite alone says little: it also comes as what a package for production can work with. */
async function canBuild(root: string): Promise<boolean> {
  const { devDependencies } = packageSchema.parse(
    JSON.parse(await readFile(join(root, 'package.json'), 'utf8')),
  )
  return Object.keys(devDependencies).every((name) => existsSync(join(root, 'node_modules', name)))
}

async function buildApp(root: string): Promise<void> {
  if (!(await canBuild(root)))
    throw new Error(
      'The app is not built, and what builds it is not installed: run npm ci && npm run build, or bring dist from where it was built',
    )
  const child = spawn(process.execPath, [join(root, VITE), 'build', '--logLevel', 'warn'], {
    cwd: root,
    env: CHILD_ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`The app could not be built:\n${Buffer.concat(output)}`)
}

/** Returns the newest change of a file, or of all files in a folder. */
async function newestChange(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null)
  if (!entries) return changedAt(path)
  const files = entries.filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
  const changes = await Promise.all(files.map((entry) => changedAt(join(entry.parentPath, entry.name))))
  return Math.max(0, ...changes)
}

async function changedAt(path: string): Promise<number> {
  const stats = await stat(path).catch(() => undefined)
  return stats?.mtimeMs ?? 0
}
