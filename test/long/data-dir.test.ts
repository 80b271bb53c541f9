import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, lstat, mkdtemp, readFile, realpath, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeDataDir } from '#test/support/data-dir.ts'
import {
  ADMIN,
  type LanternOptions,
  type RunningLantern,
  spawnLantern,
  startLantern,
} from '#test/support/start-lantern.ts'

const TIMEOUT_MS = 180_000
const UNASKED = { DATA_DIR: '', DEMO: 'off' }
const isRoot = process.getuid?.() === 0

let parent = ''
let folders: string[] = []
beforeEach(async () => {
  parent = await realpath(await mkdtemp(join(tmpdir(), 'lantern-place-')))
  folders = [parent]
})
afterEach(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

test('keeps all of it in one folder that can be archived, also where only root may go', {
  timeout: TIMEOUT_MS,
}, async () => {
  const lantern = await start({ settings: UNASKED })
  const data = readLine(lantern, 'Data')
  folders.push(data)
  await lantern.stop()
  expect(data).toMatch(isRoot ? /^\/var\/lib\/lantern-[\da-f]{8}$/ : new RegExp(`^${parent}/.lantern$`))
  expect((await lstat(join(data, 'postgres'))).isDirectory()).toBe(true)

  const again = await start({ settings: UNASKED })
  expect(readLine(again, 'Data')).toBe(data)
  await again.stop()

  const restored = join(await makeReachable(), 'restored')
  execFileSync('cp', ['-pR', data, restored])
  await expectAccount(await start({ dataDir: restored, settings: { DEMO: 'off' } }))
  expect(await readFile(join(restored, 'secret'), 'utf8')).toBe(await readFile(join(data, 'secret'), 'utf8'))
})

test('stays where it is started when PostgreSQL can be there', { timeout: TIMEOUT_MS }, async () => {
  await chmod(parent, 0o711)
  const lantern = await start({ settings: UNASKED })
  expect(readLine(lantern, 'Data')).toBe(join(parent, '.lantern'))
  expect((await lstat(join(parent, '.lantern/postgres'))).isDirectory()).toBe(true)
  await lantern.stop()
})

test('refuses a folder that PostgreSQL cannot reach in one line, which says how it can', {
  timeout: TIMEOUT_MS,
}, async () => {
  const asked = { dataDir: join(parent, 'asked'), settings: { DEMO: 'off' } }
  if (isRoot) {
    const refused = await spawnLantern({ ...asked, flags: ['--without-app'] })
    await once(refused.child, 'close')
    expect(refused.child.exitCode).toBe(1)
    expect(refused.output()).toMatch(
      new RegExp(`^PostgreSQL runs as an ordinary user, who cannot enter ${parent}: .*DATA_DIR.*\n$`),
    )
    const [, remedy = ''] = /: (chmod .*), or/.exec(refused.output()) ?? []
    execFileSync('/bin/sh', ['-c', remedy])
  }
  await (await start(asked)).stop()
})

test('follows a link that an earlier version made, and says how to have all in one folder', {
  timeout: TIMEOUT_MS,
}, async () => {
  const [dataDir, elsewhere] = [await makeReachable(), await makeReachable()]
  await (await start({ dataDir, settings: { DEMO: 'off' } })).stop()
  await rename(join(dataDir, 'postgres'), join(elsewhere, 'lantern-linked'))
  await symlink(join(elsewhere, 'lantern-linked'), join(dataDir, 'postgres'))

  const linked = await start({ dataDir, settings: { DEMO: 'off' } })
  expect(readLine(linked, 'Data')).toBe(`${dataDir}, PostgreSQL in ${elsewhere}/lantern-linked`)
  const [, commands = '', whole = ''] =
    /then: (.*); and set DATA_DIR=(.*)/.exec(readLine(linked, 'Move')) ?? []
  expect(whole).toMatch(/^\/var\/lib\/lantern-[\da-f]{8}$/)
  await expectAccount(linked)
  // Only root ever had such links, and may write there.
  const target = isRoot ? whole : join(parent, 'whole')
  folders.push(target)
  execFileSync('/bin/sh', ['-c', commands.replaceAll(whole, target)])

  const moved = await start({ dataDir: target, settings: { DEMO: 'off' } })
  expect(readLine(moved, 'Data')).toBe(target)
  await expectAccount(moved)
})

function start(options: LanternOptions): Promise<RunningLantern> {
  return startLantern({ flags: ['--without-app'], cwd: parent, ...options })
}

async function makeReachable(): Promise<string> {
  const folder = await makeDataDir()
  folders.push(folder)
  return folder
}

function readLine(lantern: RunningLantern, label: string): string {
  return new RegExp(`^  ${label} +(.*)$`, 'm').exec(lantern.output())?.[1] ?? expect.fail(lantern.output())
}

/** The account of the first start is there; then it is stopped. */
async function expectAccount(lantern: RunningLantern): Promise<void> {
  const headers = { 'x-lantern': '1', 'content-type': 'application/json' }
  expect(lantern.output()).not.toContain(ADMIN.email)
  const answer = await fetch(`${lantern.url}/bff/sign-in`, {
    method: 'POST',
    headers,
    body: JSON.stringify(ADMIN),
  })
  expect(answer.status).toBe(200)
  await lantern.stop()
}
