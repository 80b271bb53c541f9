import { Hono } from 'hono'
import { actorRoutes } from './actors/actor-routes.ts'
import { alertRoutes } from './alerts/alert-routes.ts'
import { countryRoutes } from './countries/country-routes.ts'
import { isDemo } from './demo/seed-demo.ts'
import { answerError } from './errors/answer-error.ts'
import { unroutedError } from './errors/unrouted-error.ts'
import { evidenceRoutes } from './evidence/evidence-routes.ts'
import { authenticate } from './keys/authenticate.ts'
import { metricsRoutes } from './metrics/metrics-routes.ts'
import { openApiRoutes } from './openapi/openapi-routes.ts'
import { rememberBriefly } from './remember-briefly.ts'
import { guardPath } from './request/guard-path.ts'
import { setResponseHeaders } from './response-headers.ts'
import type { ServiceDependencies, ServiceEnvironment } from './service-environment.ts'
import { feedRoutes } from './threats/feed-routes.ts'
import { v1ThreatRoutes } from './threats/v1-threat-routes.ts'
import { traceRequests } from './trace-requests.ts'

const DEMO_REMEMBERED_MS = 3_000

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

  app.use(setResponseHeaders(rememberBriefly(() => isDemo(database), DEMO_REMEMBERED_MS)))
  app.route('/', openApiRoutes(dependencies))
  app.route('/', evidenceRoutes(dependencies))

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
