import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { Database } from '#database/database.ts'
import { createService } from './app.ts'
import { NO_RATE } from './limits/rate-state.ts'
import { rateHeaders } from './response-headers.ts'
import type { ServiceLog } from './service-log.ts'

export type ServiceOptions = {
  /** Migrated. */
  database: Database
  host: string
  port: number
  publicUrl: string
  secret: string
  log: ServiceLog
}

const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  // How often the two above are looked at.
  connectionsCheckingInterval: 1_000,
  // Longer than balancers commonly keep an idle connection, so that they close it first.
  keepAliveTimeout: 65_000,
}
const DRAIN_MS = 4_000
const IDLE_CHECK_MS = 50

/** Serves the vendor API until closed; closing gives the requests under way four seconds. */
export async function startService(
  options: ServiceOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const { database, host, port, publicUrl, secret, log } = options
  const app = createService({ database, secret, publicUrl, log })
  const listener = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: answerUnreadable,
  })
  const server = createServer(LIMITS, listener)
  await once(server.listen({ host, port }), 'listening')

  return {
    url: publicUrl,
    async close() {
      const closed = once(server, 'close')
      server.close()
      const closeIdle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
      const closeAll = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
      await closed
      clearInterval(closeIdle)
      clearTimeout(closeAll)
    },
  }
}

/** For a request that cannot be handed to the app, such as one without a Host. */
function answerUnreadable(error: unknown): Response {
  if (!(error instanceof RequestError)) throw error
  return Response.json({ error: 'Malformed request' }, { status: 400, headers: rateHeaders(NO_RATE) })
}
