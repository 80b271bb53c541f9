import { readFile, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockFileOf, type Postmaster, readPostmaster } from './postmaster.ts'
import { findProcess } from './running-process.ts'

/** Each of three waits may take this long: for a fast stop, an immediate one, and a dead postmaster's workers. */
const WAIT_MS = 10_000

/**
 * Makes way for a start on this data folder: ends the PostgreSQL that a killed Lantern left running, and removes the
 * lock file of one that is dead. What it acknowledged stays.
 */
export async function stopOrphan(data: string): Promise<void> {
  // Windows has no cheap way to distinguish a process from a later one with its id. There, PostgreSQL's own check has to
  // be enough.
  if (process.platform === 'win32') return
  const postmaster = await readPostmaster(data)
  if (postmaster) await end(postmaster, data)
  // PostgreSQL would take whatever has the id in it for its owner: a zombie that nobody reaped, another program.
  await rm(lockFileOf(data), { force: true })
}

async function end({ pid, memory }: Postmaster, data: string): Promise<void> {
  const isGone = async () => !(await findProcess(pid))?.command.includes(`-D ${data} `)
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    // After a crash of the machine the id in the file may be anybody's.
    if (await isGone()) break
    process.kill(pid, signal)
    await becomes(isGone)
  }
  const isFree = async () => (await isGone()) && !(await isAttached(memory))
  if (!(await becomes(isFree))) {
    throw new Error(
      `A PostgreSQL still works on ${data} (process ${pid} or a child of it): end it and start again`,
    )
  }
}

async function becomes(check: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + WAIT_MS
  while (Date.now() < deadline) {
    if (await check()) return true
    await sleep(20)
  }
  return false
}

/** Returns true if a process uses that shared memory; false if the platform does not report it. */
async function isAttached(memory: string): Promise<boolean> {
  const table = await readFile('/proc/sysvipc/shm', 'utf8').catch(() => '')
  return table.split('\n').some((line) => {
    const [key, id, , , , , attached] = line.trim().split(/\s+/)
    return `${key} ${id}` === memory && Number(attached) > 0
  })
}
