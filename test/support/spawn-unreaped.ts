import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { PostgresUser } from '#database/embedded/postgres-user.ts'

/** Starts a command whose parent never reaps it, as the first process of many a container: killed, it is a zombie. */
export function spawnUnreaped(command: string[], user?: PostgresUser) {
  const parent = spawn(
    '/bin/sh',
    ['-c', '"$@" >/dev/null 2>&1 & echo $!; exec sleep 600', 'sh', ...command],
    {
      ...user,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const pid = once(parent.stdout, 'data').then(([said]) => Number(said))
  return {
    pid,
    /** Ends both. */
    async [Symbol.asyncDispose]() {
      process.kill(await pid, 'SIGKILL')
      const exited = once(parent, 'exit')
      parent.kill('SIGKILL')
      await exited
    },
  }
}

/** As Linux names it: `S` sleeps, `Z` is a zombie. */
export async function readState(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[0]
}
