import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NOBODY } from '#database/embedded/postgres-user.ts'
import { startCluster } from '#database/embedded/start-cluster.ts'
import { migrate } from '#database/migrate.ts'
import { type OpenDatabase, openDatabase } from '#database/open-database.ts'

/** A PostgreSQL with the settings that Lantern starts it with, for one measurement. */
export async function withBenchDatabase(
  room: 'bff' | 'service',
  run: (database: OpenDatabase) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lantern-bench-'))
  if (process.getuid?.() === 0) await chown(folder, NOBODY.uid, NOBODY.gid)
  const cluster = await startCluster({ folder, password: randomBytes(16).toString('hex'), log: () => {} })
  try {
    const database = await openDatabase({ url: cluster.url('postgres'), statementTimeoutMs: 0 })
    try {
      const folders = [room, 'delivery'].map((name) => new URL(`../src/${name}/migrations/`, import.meta.url))
      await migrate(database, folders)
      await run(database)
    } finally {
      await database.close()
    }
  } finally {
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
