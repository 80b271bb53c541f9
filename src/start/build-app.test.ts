import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildAppIfNeeded, needsBuild } from './build-app.ts'

let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lantern-build-'))
  await put('package.json', 1, JSON.stringify({ devDependencies: { vite: '8', react: '19' } }))
  await put('node_modules/vite/bin/vite.js', 1, 'console.error(process.env), process.exit(1)')
  await put('node_modules/react/package.json', 1)
  await put('src/app/main.tsx', 1)
})
afterEach(() => rm(root, { recursive: true }))

test('builds what was never built', async () => {
  expect(await needsBuild(root)).toBe(true)
})

test('builds once, and again after a change', async () => {
  await put('dist/index.html', 2)
  expect(await needsBuild(root)).toBe(false)
  await put('src/app/ui/button.tsx', 3)
  expect(await needsBuild(root)).toBe(true)
})

test('does not build for a changed test or server', async () => {
  await put('dist/index.html', 2)
  await put('src/app/ui/button.test.tsx', 3)
  await put('src/bff/app.ts', 3)
  expect(await needsBuild(root)).toBe(false)
})

test('takes the app as it came where there is nothing to build it with', async () => {
  await put('dist/index.html', 2)
  await put('src/app/main.tsx', 3)
  await rm(join(root, 'node_modules/react'), { recursive: true })
  expect(await needsBuild(root)).toBe(false)
})

test('reports what is missing if there is neither an app nor its build tools', async () => {
  await rm(join(root, 'node_modules/react'), { recursive: true })
  await expect(buildAppIfNeeded(root)).rejects.toThrow(/^.*run npm ci.*$/)
})

test('does not pass Lantern’s settings to the build', async () => {
  vi.stubEnv('UPSTREAM_API_KEY', 'canary')
  const building = buildAppIfNeeded(root)
  await expect(building).rejects.toThrow('LANG')
  await expect(building).rejects.not.toThrow('canary')
  vi.unstubAllEnvs()
})

/** A file, changed on a day of January. */
async function put(path: string, day: number, text = ''): Promise<void> {
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  const date = new Date(Date.UTC(2026, 0, day))
  await utimes(file, date, date)
}
