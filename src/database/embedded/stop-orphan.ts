import { setTimeout as sleep } from 'node:timers/promises'
import { readPostmaster } from './postmaster.ts'
import { findProcess } from './running-process.ts'

const FAST_STOP_MS = 10_000

/** Ends the PostgreSQL that a killed Lantern left running on this data folder. What it acknowledged stays. */
export async function stopOrphan(data: string): Promise<void> {
  const postmaster = await readPostmaster(data)
  if (!postmaster) return
  const isOurs = async () => (await findProcess(postmaster.pid))?.command.includes(`-D ${data} `) ?? false
  const signals = ['SIGINT', 'SIGQUIT'] as const
  for (const signal of signals) {
    // After a crash of the machine the id in the file may be anybody's.
    if (!(await isOurs())) return
    process.kill(postmaster.pid, signal)
    const deadline = Date.now() + FAST_STOP_MS
    while (Date.now() < deadline && (await isOurs())) await sleep(20)
  }
}
