import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { actorRoutes } from './actors/actor-routes.ts'
import { alertChangeRoutes } from './alerts/alert-change-routes.ts'
import { alertRoutes } from './alerts/alert-routes.ts'
import { countryRoutes } from './countries/country-routes.ts'
import { readHeldData } from './data-version/data-version-queries.ts'
import { dataVersionRoutes } from './data-version/data-version-routes.ts'
import { answerError, unroutedError } from './errors/answer-error.ts'
import { evidenceRoutes } from './evidence/evidence-routes.ts'
import { authenticate } from './keys/authenticate.ts'
import { metricsRoutes } from './metrics/metrics-routes.ts'
import { openApiRoutes } from './openapi/openapi-routes.ts'
import { guardPath } from './request/guard-path.ts'
import { setResponseHeaders } from './response-headers.ts'
import type { ServiceDependencies, ServiceEnvironment } from './service-environment.ts'
import type { ServiceLog } from './service-log.ts'
import { feedRoutes } from './threats/feed-routes.ts'
import { v1ThreatRoutes } from './threats/v1-threat-routes.ts'

const HELD_DATA_REMEMBERED_MS = 500

/** The reference implementation of the vendor API. Everything below `/api/` needs a key, but the API's description. */
export function createService(dependencies: ServiceDependencies) {
  const { database, log = () => {} } = dependencies
  const app = new Hono<ServiceEnvironment>()

  app.use(traceRequests(log))
  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.get('/readyz', async (c) => {
    await database.query('select 1')
    return c.json({ status: 'ok' })
  })

  app.use(setResponseHeaders(rememberBriefly(() => readHeldData(database), HELD_DATA_REMEMBERED_MS)))
  app.route('/', openApiRoutes(dependencies))
  app.route('/', evidenceRoutes(dependencies))

  app.route('/', dataVersionRoutes(dependencies))
  app.use('/api/alert*', guardPath)
  app.route('/', alertChangeRoutes(dependencies))
  app.use('/api/*', authenticate(dependencies))
  app.use('/api/*', guardPath)
  app.route('/', feedRoutes(dependencies))
  app.route('/', alertRoutes(dependencies))
  app.route('/', metricsRoutes(dependencies))
  app.route('/', v1ThreatRoutes(dependencies))
  app.route('/', actorRoutes(dependencies))
  app.route('/', countryRoutes(dependencies))

  app.notFound((c) => answerError(unroutedError(c), c, log))
  app.onError((error, c) => answerError(error, c, log))
  return app
}

/** Checks again only when the last answer is older than `forMs`; a failure leaves the last answer standing. */
function rememberBriefly<T>(check: () => Promise<T>, forMs: number): () => Promise<T | null> {
  let answer: Promise<T | null> = Promise.resolve(null)
  let checkedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - checkedAt >= forMs) {
      checkedAt = performance.now()
      const last = answer
      answer = check().catch(() => last)
    }
    return answer
  }
}

/** Gives each request an id, sends it to the client, and logs a line. Queries may say what a team fears: they stay out. */
function traceRequests(log: ServiceLog) {
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
