import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

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
export function lockFileOf(data: string): string {
  return join(data, 'postmaster.pid')
}
