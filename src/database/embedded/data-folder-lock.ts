import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { findProcess } from './running-process.ts'

export type DataFolderLock = { release(): Promise<void> }

const holderSchema = z.object({
  pid: z.int().check(z.positive()),
  startedAt: z.string(),
  isCommand: z._default(z.boolean(), false),
})
type Holder = z.infer<typeof holderSchema>

export class DataFolderInUseError extends Error {
  /** The process is a command, which ends by itself. */
  readonly isCommand: boolean

  constructor(folder: string, { pid, isCommand }: Holder) {
    super(
      isCommand
        ? `A command of Lantern works on DATA_DIR ${folder} (process ${pid}). Start again once it is done.`
        : `Lantern already runs on DATA_DIR ${folder} (process ${pid}). Stop it, or set another DATA_DIR.`,
    )
    this.isCommand = isCommand
  }
}

/**
 * Takes the folder for this process, until it releases it or ends, however it ends.
 *
 * The holder is named by `lock.N` with the highest N. A new holder makes `lock.N+1`, which only one of several can, and
 * only when the process named by `lock.N` no longer runs. No lock is ever removed but by the holder of a higher one, so
 * there is no moment at which two processes can both find the folder free.
 */
export async function lockDataFolder(folder: string, { isCommand = false } = {}): Promise<DataFolderLock> {
  const self = await findProcess(process.pid)
  const draft = join(folder, `lock.draft-${process.pid}-${Date.now()}`)
  const holder: Holder = { pid: process.pid, startedAt: self?.startedAt ?? '', isCommand }
  await writeFile(draft, JSON.stringify(holder), { mode: 0o600 })
  try {
    for (;;) {
      const highest = Math.max(0, ...(await listLocks(folder)))
      await refuseLiveHolder(folder, highest)
      const mine = highest + 1
      // A link appears whole, and to one process only.
      if (!(await tryLink(draft, lockFile(folder, mine)))) continue
      const others = (await listLocks(folder)).filter((lock) => lock !== mine)
      if (others.some((other) => other > mine)) {
        // Between our look and our link, others came and went, and the number had become free again.
        await rm(lockFile(folder, mine))
        continue
      }
      await Promise.all(others.map((lock) => rm(lockFile(folder, lock), { force: true })))
      return { release: () => writeFile(lockFile(folder, mine), '') }
    }
  } finally {
    await rm(draft)
  }
}

async function refuseLiveHolder(folder: string, lock: number): Promise<void> {
  const text = await readFile(lockFile(folder, lock), 'utf8').catch(() => '')
  const holder = readHolder(text)
  if (!holder) return
  const running = await findProcess(holder.pid)
  if (running?.startedAt === holder.startedAt) throw new DataFolderInUseError(folder, holder)
}

/** Null for one that was released, or that a machine which lost its power left half written: then its holder is gone. */
function readHolder(text: string): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

async function listLocks(folder: string): Promise<number[]> {
  const names = await readdir(folder)
  return names.flatMap((name) => (/^lock\.\d+$/.test(name) ? [Number(name.slice('lock.'.length))] : []))
}

function lockFile(folder: string, lock: number): string {
  return join(folder, `lock.${lock}`)
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
