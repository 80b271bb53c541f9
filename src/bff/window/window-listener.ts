import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'

export const WINDOW_CHANGED_CHANNEL = 'window_changed'
const RETRY_MS = 1_000

export type WindowListenerOptions = {
  pool: Pool
  /** Also called when changes may have been missed. */
  onChange(): void
  onError(error: unknown): void
}

/** Hears of what the elected reader, in whichever process it is, has read. Returns what ends it. */
export function listenForWindowChanges({
  pool,
  onChange,
  onError,
}: WindowListenerOptions): () => Promise<void> {
  const closing = new AbortController()

  async function listen(): Promise<void> {
    const client = await pool.connect()
    try {
      client.on('notification', onChange)
      await client.query(`listen ${WINDOW_CHANGED_CHANNEL}`)
      onChange()
      await untilOver(client, closing.signal)
    } finally {
      client.release(true)
    }
  }

  async function keepListening(): Promise<void> {
    while (!closing.signal.aborted) {
      await listen().catch((error: unknown) => {
        if (!closing.signal.aborted) onError(error)
      })
      await sleep(RETRY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }

  const listening = keepListening()
  return async () => {
    closing.abort()
    await listening
  }
}

/** Until the connection breaks, which is an error, or is not needed any more. */
function untilOver(client: PoolClient, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
    client.once('error', reject)
    client.once('end', () => reject(new Error('The connection has ended')))
  })
}
