import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { NOBODY } from '#database/embedded/postgres-user.ts'
import { startCluster } from '#database/embedded/start-cluster.ts'
import { prepareEmptyCluster } from './data-dir.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the run's cluster, without a database. */
    clusterUrl: string
  }
}

/** One PostgreSQL for the whole run. It holds nothing worth a flush to disk. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }

/** Each test takes a database of its own, some 300 files: ten times as fast in memory as on most disks. */
const MEMORY_FOLDER = '/dev/shm'
const ENOUGH_MEMORY_BYTES = 2 ** 30

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await chooseParent(), 'lantern-test-'))
  if (process.getuid?.() === 0) await chown(folder, NOBODY.uid, NOBODY.gid)
  const password = randomBytes(16).toString('hex')
  const cluster = await startCluster({ folder, password, log: () => {}, settings: SETTINGS })
  provide('clusterUrl', cluster.url(''))
  const removeEmptyCluster = await prepareEmptyCluster()

  return async () => {
    await removeEmptyCluster()
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** In memory, where Linux gives enough of it: containers often have but 64 MB. */
async function chooseParent(): Promise<string> {
  const memory = await statfs(MEMORY_FOLDER).catch(() => null)
  return memory && memory.bavail * memory.bsize > ENOUGH_MEMORY_BYTES ? MEMORY_FOLDER : tmpdir()
}
