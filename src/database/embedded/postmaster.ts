import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What a running PostgreSQL writes about itself into its data folder. */
export type Postmaster = { pid: number; port: number; status: string | undefined }

const PID_LINE = 0
const PORT_LINE = 3
const STATUS_LINE = 7

export async function readPostmaster(data: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Number(lines[PID_LINE])
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  return { pid, port: Number(lines[PORT_LINE]), status: lines[STATUS_LINE]?.trim() }
}
