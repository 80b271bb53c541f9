import type { PoolClient } from 'pg'
import { pause } from '#server/start-loop.ts'

/** Together well below the time after which a server ends a connection of ours that nobody uses. */
const POLL_EVERY_MS = 5_000
const ANSWERED_WITHIN_MS = 5_000

/**
 * Keeps a connection that only waits: it hears notices, or has a lock. Ends with the signal; throws once the connection
 * breaks, or its server does not answer, of which a proxy in between may say nothing.
 */
export async function holdConnection(client: PoolClient, signal: AbortSignal): Promise<void> {
  const broken = Promise.withResolvers<never>()
  // Nothing awaits this promise once the connection is released.
  broken.promise.catch(() => {})
  const ended = () => broken.reject(new Error('The connection has ended'))
  client.once('error', broken.reject)
  client.once('end', ended)
  try {
    while (!signal.aborted) {
      await Promise.race([pause(POLL_EVERY_MS, signal), broken.promise])
      if (signal.aborted) return
      const answered = client.query('select 1').then(() => true)
      answered.catch(() => {})
      const isThere = await Promise.race([answered, broken.promise, pause(ANSWERED_WITHIN_MS, signal)])
      if (!isThere && !signal.aborted) throw new Error('The database does not answer')
    }
  } finally {
    client.off('error', broken.reject)
    client.off('end', ended)
  }
}
