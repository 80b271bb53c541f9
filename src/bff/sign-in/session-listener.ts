import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { SESSIONS_ENDED_CHANNEL } from './session-queries.ts'
import type { SessionStore } from './session-store.ts'

const RETRY_MS = 1_000

export type SessionListener = { close(): void }

/**
 * Hears of sessions that other processes end. While the connection is down, this process keeps no session in memory:
 * either a sign-out takes effect everywhere at once, or the database is asked each time.
 */
export async function listenForEndedSessions(
  pool: Pool,
  sessions: SessionStore,
  onError: (error: unknown) => void,
): Promise<SessionListener> {
  const closing = new AbortController()
  /** Null while the connection is down. */
  let client: PoolClient | null = null
  attend(await connect(pool))

  function attend(connected: PoolClient): void {
    client = connected
    connected.on('notification', () => sessions.forgetAll())
    connected.once('error', (error) => {
      if (closing.signal.aborted) return
      sessions.trustCache(false)
      onError(error)
      client = null
      connected.release(true)
      void reconnect()
    })
    sessions.trustCache(true)
  }

  async function reconnect(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await sleep(RETRY_MS, undefined, { signal: closing.signal, ref: false })
        const connected = await connect(pool)
        return closing.signal.aborted ? connected.release(true) : attend(connected)
      } catch (error) {
        if (!closing.signal.aborted) onError(error)
      }
    }
  }

  return {
    close() {
      closing.abort()
      sessions.trustCache(false)
      client?.release(true)
      client = null
    },
  }
}

async function connect(pool: Pool): Promise<PoolClient> {
  const client = await pool.connect()
  try {
    await client.query(`listen ${SESSIONS_ENDED_CHANNEL}`)
    return client
  } catch (error) {
    client.release(true)
    throw error
  }
}
