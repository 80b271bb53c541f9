import { randomUUID } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import type { ServiceEnvironment } from './service-environment.ts'
import type { ServiceLog } from './service-log.ts'

/** Gives each request an id, tells it to the client, and writes one line about it. Queries may hold what a team fears: they are not written. */
export function traceRequests(log: ServiceLog) {
  return createMiddleware<ServiceEnvironment>(async (c, next) => {
    const startedAt = performance.now()
    const requestId = randomUUID()
    c.set('requestId', requestId)
    c.set('keyId', null)
    await next()

    c.header('x-request-id', requestId)
    log('request', {
      requestId,
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: Math.round(performance.now() - startedAt),
      keyId: c.get('keyId') ?? '',
    })
  })
}
