import type { Pool, PoolClient } from 'pg'
import { holdConnection } from '#database/hold-connection.ts'
import { startLoop } from '#server/start-loop.ts'

/** Any number: the processes on one database agree on it. */
const READER_LOCK = 4_812_041
const RETRY_MS = 3_000

export type Election = {
  pool: Pool
  /** Ends candidacy and leadership. */
  signal: AbortSignal
  /** Does the leader's work until its signal aborts. */
  serve(signal: AbortSignal): Promise<void>
  onError(error: unknown): void
}

/**
 * Serves while this process has a lock of the database, and is a candidate for it otherwise. The lock goes with its
 * connection, which PostgreSQL ends when its process dies, or says nothing for a while: then the next that asks has it.
 */
export async function serveWhenElected({ pool, signal, serve, onError }: Election): Promise<void> {
  const run = () => serveOnce(pool, signal, serve)
  await startLoop(run, { everyMs: RETRY_MS, signal, onFault: onError }).ended
}

async function serveOnce(pool: Pool, signal: AbortSignal, serve: Election['serve']): Promise<void> {
  const client = await pool.connect()
  const lost = new AbortController()
  try {
    if (!(await takeLock(client))) return
    const held = holdConnection(client, AbortSignal.any([signal, lost.signal]))
    const holding = held.catch(() => lost.abort())
    await serve(AbortSignal.any([signal, lost.signal])).finally(() => lost.abort())
    await holding
  } finally {
    // A connection that ends gives the lock back, whatever state it is in.
    client.release(true)
  }
}

async function takeLock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [READER_LOCK])
  return rows[0]?.taken === true
}
