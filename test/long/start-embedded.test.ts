import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDataFolder } from '#database/embedded/data-folder-lock.ts'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { findPostgresBinaries } from '#database/embedded/postgres-binaries.ts'
import { findPostgresUser } from '#database/embedded/postgres-user.ts'
import { readPostmaster } from '#database/embedded/postmaster.ts'
import { findProcess } from '#database/embedded/running-process.ts'
import { joinEmbedded, startEmbedded } from '#database/embedded/start-embedded.ts'
import { openDatabase } from '#database/open-database.ts'
import { readState, spawnUnreaped } from '#test/support/spawn-unreaped.ts'

let parent = ''
let dataDir = ''
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'lantern-embedded-'))
  await chmod(parent, 0o711)
  dataDir = join(parent, 'data')
})
afterEach(() => rm(parent, { recursive: true }))

test('keeps written data after a clean stop and with a command, and its files private', async () => {
  const first = await startEmbedded(dataDir)
  await ask(first.url('lantern_owner'), 'create table kept as select 1 as one')
  await expect(startEmbedded(dataDir)).rejects.toThrow(`${dataDir} (process ${process.pid})`)
  await first.stop()

  // One that began in the moment in which nobody ran.
  const command = await lockDataFolder(dataDir, { isCommand: true })
  await expect(startEmbedded(dataDir, { isCommand: true })).rejects.toThrow('A command of Lantern works on')
  const starting = startEmbedded(dataDir)
  expect(await Promise.race([starting, sleep(300, 'waiting')])).toBe('waiting')
  await command.release()
  const second = await starting
  expect(
    await ask(second.url('lantern_owner'), `select one, current_setting('fsync') as fsync from kept`),
  ).toEqual([{ one: 1, fsync: 'on' }])
  await second.stop()
  expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o077).toBe(0)
  expect((await stat(dataDir)).mode & 0o066).toBe(0)
})

test('loses no acknowledged row to kill -9, and ends the PostgreSQL left behind', async () => {
  const acknowledged = await writeUntilKilled(50)
  const orphan = await readPostmaster(join(dataDir, 'postgres/data'))
  const orphanPid = orphan?.pid ?? expect.fail('PostgreSQL did not outlive its parent')
  expect(await findProcess(orphanPid)).toBeDefined()

  const next = await startEmbedded(dataDir)
  const rows = await ask(
    next.url('lantern_owner'),
    `select count(*) >= ${acknowledged} as "isAllThere" from written`,
  )
  expect(rows).toEqual([{ isAllThere: true }])
  expect(await findProcess(orphanPid)).toBeUndefined()
  await next.stop()
})

test('starts after the previous PostgreSQL was killed and not reaped', async () => {
  const { data, parent } = await runApart()
  await using _ = parent
  const pid = await parent.pid
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => readState(pid)).toBe('Z')

  const next = await startEmbedded(dataDir)
  expect(await readState(pid)).toBe('Z')
  expect(await readPostmaster(data)).toMatchObject({ status: 'ready' })
  await next.stop()
})

test('waits for what a killed PostgreSQL left at work on its data', async () => {
  const { data, parent } = await runApart()
  await using _ = parent
  const pid = await parent.pid
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const child = Number(children.trim().split(' ').at(-1))
  process.kill(child, 'SIGSTOP')
  process.kill(pid, 'SIGKILL')

  const starting = startEmbedded(dataDir)
  expect(await Promise.race([starting, sleep(2_000, 'waiting')])).toBe('waiting')
  expect(await readPostmaster(data)).toMatchObject({ pid })
  process.kill(child, 'SIGCONT')
  await (await starting).stop()
})

test('starts though another program has the id of the PostgreSQL before, and leaves that alone', async () => {
  const { folder, stop } = await startEmbedded(dataDir)
  const lockFile = join(folder, 'data/postmaster.pid')
  const text = await readFile(lockFile, 'utf8')
  await stop()
  await using parent = spawnUnreaped(['sleep', '600'], await findPostgresUser(folder))
  const pid = await parent.pid
  await writeFile(lockFile, text.replace(/^\d+/, String(pid)))

  await (await startEmbedded(dataDir)).stop()
  expect(await findProcess(pid)).toMatchObject({ command: 'sleep 600' })
})

test('lets a command join the PostgreSQL of a running Lantern, and leaves it running', async () => {
  const lantern = await startEmbedded(dataDir)
  await ask(lantern.url('lantern_service'), 'create table shared as select 1 as one')

  const command = await joinEmbedded(dataDir)
  expect(await ask(command.url('lantern_service'), 'select * from shared')).toEqual([{ one: 1 }])
  await command.stop()
  expect(await ask(lantern.url('lantern_service'), 'select * from shared')).toEqual([{ one: 1 }])
  await lantern.stop()
})

test('creates no new cluster if the data folder has disappeared', async () => {
  await mkdir(dataDir)
  await symlink(join(parent, 'gone'), join(dataDir, 'postgres'))
  await expect(startEmbedded(dataDir)).rejects.toThrow('points to a folder that is gone')
})

test('refuses a secret that others can read', async () => {
  await (await startEmbedded(dataDir)).stop()
  await chmod(join(dataDir, 'postgres-password'), 0o644)
  const password = await readFile(join(dataDir, 'postgres-password'), 'utf8')
  const start = startEmbedded(dataDir)
  await expect(start).rejects.toThrow('postgres-password holds a secret and others can read it')
  await expect(start).rejects.not.toThrow(password)
})

/** The data folder's PostgreSQL, ready, as the child of a process that does not reap. */
async function runApart() {
  const { folder, stop } = await startEmbedded(dataDir)
  await stop()
  const data = join(folder, 'data')
  const user = await findPostgresUser(folder)
  const program = join(await findPostgresBinaries(user), 'bin/postgres')
  const settings = ['-c', 'unix_socket_directories=', '-c', `port=${await findFreePort()}`]
  const parent = spawnUnreaped([program, '-D', data, ...settings], user)
  await expect.poll(async () => (await readPostmaster(data))?.status, { timeout: 10_000 }).toBe('ready')
  return { data, parent }
}

async function ask(url: string, sql: string): Promise<unknown[]> {
  const database = await openDatabase({ url, max: 1 })
  try {
    return (await database.query(sql)).rows
  } finally {
    await database.close()
  }
}

/** A process that starts the same PostgreSQL and inserts row after row. Answers how many were acknowledged. */
async function writeUntilKilled(rows: number): Promise<number> {
  const program = `
    import { openDatabase } from '${new URL('../../src/database/open-database.ts', import.meta.url)}'
    import { startEmbedded } from '${new URL('../../src/database/embedded/start-embedded.ts', import.meta.url)}'
    const embedded = await startEmbedded('${dataDir}')
    const database = await openDatabase({ url: embedded.url('lantern_owner') })
    await database.query('create table written (row integer)')
    for (let row = 1; ; row++) {
      await database.query('insert into written values ($1)', [row])
      console.log(row)
    }`
  const writer = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(writer, 'exit')
  let acknowledged = 0
  for await (const line of createInterface({ input: writer.stdout })) {
    acknowledged = Number(line)
    if (acknowledged >= rows) writer.kill('SIGKILL')
  }
  await exited
  return acknowledged
}
