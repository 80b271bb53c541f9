import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { CHILD_ENVIRONMENT } from './child-environment.ts'

/** The start time distinguishes it from a later process with the same id. */
export type RunningProcess = { startedAt: string; command: string }

/** The process with this id, if one runs: a zombie does not. */
export async function findProcess(pid: number): Promise<RunningProcess | undefined> {
  if (!isAlive(pid)) return undefined
  if (process.platform === 'linux') return readProc(pid)
  // Windows offers neither cheaply: there, an id that is in use has to serve.
  if (process.platform === 'win32') return { startedAt: '', command: '' }
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'lstart=,command=', '-p', String(pid)], {
    env: CHILD_ENVIRONMENT,
  })
  const LSTART_LENGTH = 'Sat Nov 21 09:12:00 2026'.length
  return { startedAt: stdout.slice(0, LSTART_LENGTH), command: stdout.slice(LSTART_LENGTH).trim() }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process may be seen but not signalled.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function readProc(pid: number): Promise<RunningProcess | undefined> {
  const [stat, command, bootId] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
  ])
  // The name before the last bracket may itself hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, startTicks] = [fields[0], fields[19]]
  // Dead, though nobody has reaped it; or ending, when its memory goes first, and its command line with that.
  if (startTicks === undefined || state === 'Z' || state === 'X' || command === '') return undefined
  return { startedAt: `${bootId.trim()} ${startTicks}`, command: command.replaceAll('\0', ' ').trim() }
}
