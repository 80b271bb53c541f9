import { Hono } from 'hono'
import { refuseParameters } from '#service/request/parse-query.ts'
import type { ServiceDependencies, ServiceEnvironment } from '#service/service-environment.ts'
import { readMetrics } from './read-metrics.ts'

export function metricsRoutes({ database }: ServiceDependencies) {
  return new Hono<ServiceEnvironment>().get('/api/metrics', async (c) => {
    refuseParameters(c.req.url)
    return c.json(await readMetrics(database, c.get('access')))
  })
}
