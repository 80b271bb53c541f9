import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import type { OpenDatabase } from '#database/open-database.ts'
import { environmentWith } from '#settings/settings.ts'
import { stampPackage } from '../deploy/release-build.ts'
import { openTunnel } from './support/open-tunnel.ts'
import { makeProductionFolder } from './support/production-folder.ts'
import { takeDatabase, urlOf } from './support/with-database.ts'

const execute = promisify(execFile)
/** Some transactions of an import. */
const RECORDS = 6_000

/** As an operator has it: a link in a folder of programs, called from anywhere. */
async function linkLantern(): Promise<{ folder: string; lantern: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'lantern-command-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const lantern = join(folder, 'lantern')
  await symlink(resolve('bin/lantern'), lantern)
  return { folder, lantern }
}

test('runs a command of package.json from any folder', async () => {
  const { folder, lantern } = await linkLantern()
  const { stdout } = await execute(lantern, ['keys', 'help'], { cwd: folder })
  expect(stdout).toContain('create --account')
})

test('passes on words as they are, and the exit code', async () => {
  const { folder, lantern } = await linkLantern()
  const failing = execute(lantern, ['import', '--no such flag'], { cwd: folder })
  await expect(failing).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('--no such flag') })
})

test('in a release, the help of each command is for bin/lantern', async () => {
  await using release = await makeProductionFolder({ isBuilt: false })
  await cp('bin', join(release.path, 'bin'), { recursive: true })
  const build = { version: '1.2.3', commit: '0123456789ab' }
  await writeFile(
    join(release.path, 'package.json'),
    stampPackage(await readFile('package.json', 'utf8'), build),
  )
  const commands = [
    ['backup', 'FILE'],
    ['restore', 'FILE'],
    ['keys', 'COMMAND'],
    ['audit', 'COMMAND'],
    ['import', 'FILE…'],
    ['break-glass', 'EMAIL'],
  ] as const
  const showHelp = async ([name, words]: (typeof commands)[number]) => {
    const { stdout } = await execute(join(release.path, 'bin/lantern'), [name, '--help'])
    expect(stdout).toMatch(new RegExp(`^Usage: lantern ${name} ${words}[ \\n]`))
    expect(stdout).not.toContain('npm')
  }
  await Promise.all(commands.map(showHelp))
})

test.each([['build'], ['src/keys'], ['.*'], ['']])('refuses %j, and names what there is', async (command) => {
  const { folder, lantern } = await linkLantern()
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await readFile('package.json', 'utf8')))
  const ours = Object.keys(scripts).filter((name) => /src\/[a-z/-]+\.ts$/.test(scripts[name] ?? ''))
  expect(ours).toEqual(expect.arrayContaining(['start', 'service', 'keys', 'break-glass']))
  const usage = `Usage: lantern [${ours.join('|')}] [ARGUMENT…]\n`
  await expect(execute(lantern, [command], { cwd: folder })).rejects.toMatchObject({ code: 2, stderr: usage })
})

test('an import whose database fails reports it in one line, and can be run again', async () => {
  const database = await takeDatabase('service')
  const url = new URL(await urlOf(database))
  const tunnel = await openTunnel({ host: url.hostname, port: Number(url.port) })
  onTestFinished(() => tunnel.cut())
  url.host = `127.0.0.1:${tunnel.port}`
  const { folder } = await linkLantern()
  const file = join(folder, 'feed.ndjson')
  await writeFile(file, Array.from({ length: RECORDS }, (_, at) => recordOf(at)).join('\n'))
  const count = async () => (await database.query('select from threat')).rowCount
  const release = await holdSecondInsert(database)
  const env = environmentWith({ SERVICE_DATABASE_URL: url.href })
  const run = () => execute(process.execPath, [resolve('src/commands/import.ts'), file], { env })

  const broken = run().catch((error: unknown) => error)
  await expect.poll(count, { interval: 10, timeout: 20_000 }).toBeGreaterThan(0)
  await tunnel.cut()
  expect(await broken).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^The database broke off \([^\n]+\)\. What was done before stays: run this again\n$/,
    ),
  })
  expect(await count()).toBeLessThan(RECORDS)
  release()
  await tunnel.restore()
  await run()
  expect(await count()).toBe(RECORDS)
})

/** The first transaction of an import is committed, and the second waits for `release`, however fast the import is. */
async function holdSecondInsert(database: OpenDatabase): Promise<() => void> {
  const holder = await database.pool.connect()
  let isReleased = false
  const release = () => {
    if (!isReleased) holder.release(true)
    isReleased = true
  }
  onTestFinished(release)
  await holder.query(`
    select pg_advisory_lock(1);
    create function wait_for_release() returns trigger language plpgsql as $$
    begin
      if exists (select from threat) then
        perform pg_advisory_xact_lock_shared(1);
      end if;
      return null;
    end
    $$;
    create trigger held before insert on threat for each statement execute function wait_for_release()`)
  return release
}

function recordOf(at: number): string {
  return `{"source":"own","source_id":"${at}","category":"Ransomware","title":"Record ${at}","published":"2026-11-01"}`
}
