import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { OpenDatabase } from '#database/open-database.ts'
import { CONNECTION_LIMITS, createDraining } from '#server/draining.ts'
import { resealAlertDestinations, sealDestinations } from './alerts/alert-destinations.ts'
import { createService } from './app.ts'
import { NO_RATE } from './limits/rate-state.ts'
import { rateHeaders } from './response-headers.ts'
import type { ServiceLog } from './service-log.ts'

export type ServiceOptions = {
  /** Migrated. */
  database: OpenDatabase
  host: string
  port: number
  publicUrl: string
  secret: string
  secretBefore?: string | undefined
  log: ServiceLog
}

/** Serves the vendor API until closed; closing gives the requests under way four seconds. */
export async function startService(
  options: ServiceOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const { database, host, port, publicUrl, secret, secretBefore, log } = options
  await sealDestinations(database, secret)
  if (secretBefore !== undefined) await resealAlertDestinations(database, { secret, before: secretBefore })
  const app = createService({ database, secret, secretBefore, publicUrl, log })
  const { follow, drain } = createDraining()
  const listener = getRequestListener((request) => follow(app.fetch(request)), {
    overrideGlobalObjects: false,
    errorHandler: answerUnreadable,
  })
  const server = createServer(CONNECTION_LIMITS, listener)
  await once(server.listen({ host, port }), 'listening')

  return {
    url: publicUrl,
    close: () => drain(server),
  }
}

/** Answers a request that cannot be handed to the app, such as one without a Host. */
function answerUnreadable(error: unknown): Response {
  if (!(error instanceof RequestError)) throw error
  return Response.json({ error: 'Malformed request' }, { status: 400, headers: rateHeaders(NO_RATE) })
}
