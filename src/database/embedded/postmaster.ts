import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pollUntil } from '#server/poll-until.ts'
import { findProcess } from './running-process.ts'

/** A running PostgreSQL writes this about itself into its data folder. */
export type Postmaster = {
  pid: number
  port: number
  /** Key and id of the shared memory that all its processes use. */
  memory: string
  status: string | undefined
}

const PID_LINE = 0
const PORT_LINE = 3
const MEMORY_LINE = 6
const STATUS_LINE = 7
/** Each of three waits may take this long: for a fast stop, an immediate one, and a dead postmaster's workers. */
const END_WAIT = { everyMs: 20, forMs: 10_000 }

export async function readPostmaster(data: string): Promise<Postmaster | undefined> {
  const text = await readFile(lockFileOf(data), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Number(lines[PID_LINE])
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  return {
    pid,
    port: Number(lines[PORT_LINE]),
    memory: lines[MEMORY_LINE]?.trim().replace(/\s+/, ' ') ?? '',
    status: lines[STATUS_LINE]?.trim(),
  }
}

/** Returns the file by which PostgreSQL prevents a second one. */
function lockFileOf(data: string): string {
  return join(data, 'postmaster.pid')
}

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
    await pollUntil(isGone, END_WAIT)
  }
  const isFree = async () => (await isGone()) && !(await isAttached(memory))
  if (!(await pollUntil(isFree, END_WAIT))) {
    throw new Error(
      `A PostgreSQL still works on ${data} (process ${pid} or a child of it): end it and start again`,
    )
  }
}

/** Returns true if a process uses that shared memory; false if the platform does not report it. */
async function isAttached(memory: string): Promise<boolean> {
  const table = await readFile('/proc/sysvipc/shm', 'utf8').catch(() => '')
  return table.split('\n').some((line) => {
    const [key, id, , , , , attached] = line.trim().split(/\s+/)
    return `${key} ${id}` === memory && Number(attached) > 0
  })
}
