import { once } from 'node:events'
import type { Server } from 'node:http'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

/** Each of our servers waits this long for a client. */
export const CONNECTION_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  // The two limits above are checked at this interval.
  connectionsCheckingInterval: 1_000,
  // Longer than balancers commonly keep an idle connection, so that they close it first.
  keepAliveTimeout: 65_000,
}
const DRAIN_MS = 4_000
const IDLE_CHECK_MS = 50

export function createDraining() {
  const handled = new Set<Promise<unknown>>()
  return {
    /** Counts a handler until it ends: it goes on when its client has left, and then no connection stands for it. */
    follow<Answer>(answered: Answer | Promise<Answer>): Promise<Answer> {
      const handler = Promise.resolve(answered)
      handled.add(handler)
      return handler.finally(() => handled.delete(handler))
    },
    /** Takes no new connection, and gives what is under way four seconds in all. */
    async drain(server: Server): Promise<void> {
      // After it has accepted who is connected already: closing refuses them, though their requests may have been sent.
      await setImmediate()
      const isOver = sleep(DRAIN_MS, undefined, { ref: false })
      const closed = once(server, 'close')
      server.close()
      const closeIdle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
      const closeAll = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
      await closed
      clearInterval(closeIdle)
      clearTimeout(closeAll)
      await Promise.race([Promise.allSettled(handled), isOver])
    },
  }
}
