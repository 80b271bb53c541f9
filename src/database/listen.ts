import type { Pool, PoolClient } from 'pg'
import { pause } from '#server/start-loop.ts'
import { holdConnection } from './hold-connection.ts'

/** Not all processes at once, when the database comes back. */
const RETRY_MIN_MS = 500
const RETRY_JITTER_MS = 1_000

/** The notices between the processes on one database. */
export type Channel = {
  /** An SQL identifier of ours. */
  name: string
  onNotice(payload: string): void | Promise<void>
  /** Notices are received from now on; earlier ones may have been missed. */
  onHearing?(): void | Promise<void>
  /** No notice comes before `onHearing`. */
  onDeaf?(): void
}

/** Listens on all channels by one connection, which it opens again when it breaks. Returns what ends it. */
export async function listen(
  pool: Pool,
  channels: readonly Channel[],
  onError: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const closing = new AbortController()
  const { signal } = closing

  async function keepListening(first: PoolClient): Promise<void> {
    for (let client: PoolClient | null = first; !signal.aborted; client = await reconnect()) {
      if (client) await hear(client)
    }
  }

  async function hear(client: PoolClient): Promise<void> {
    const byName = new Map(channels.map((channel) => [channel.name, channel]))
    try {
      client.on('notification', ({ channel, payload = '' }) => void byName.get(channel)?.onNotice(payload))
      for (const channel of channels) void channel.onHearing?.()
      await holdConnection(client, signal)
    } catch (error) {
      if (!signal.aborted) onError(error)
    } finally {
      for (const channel of channels) channel.onDeaf?.()
      client.release(true)
    }
  }

  async function reconnect(): Promise<PoolClient | null> {
    await pause(RETRY_MIN_MS + Math.random() * RETRY_JITTER_MS, signal)
    if (signal.aborted) return null
    const client = await connect(pool, channels).catch((error: unknown) => {
      onError(error)
      return null
    })
    if (!signal.aborted) return client
    // It came too late to be heard: a pool waits for whoever has one of its connections.
    client?.release(true)
    return null
  }

  const listening = keepListening(await connect(pool, channels))
  return async () => {
    closing.abort()
    await listening
  }
}

async function connect(pool: Pool, channels: readonly Channel[]): Promise<PoolClient> {
  const client = await pool.connect()
  try {
    await client.query(channels.map(({ name }) => `listen ${name}`).join('; '))
    return client
  } catch (error) {
    client.release(true)
    throw error
  }
}
