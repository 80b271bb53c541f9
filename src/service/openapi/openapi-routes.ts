import { Hono } from 'hono'
import { refuseParameters } from '#service/request/parse-query.ts'
import type { ServiceDependencies } from '#service/service-environment.ts'
import { buildOpenApi } from './build-openapi.ts'

/** The description of the API, for anyone: it contains no record. */
export function openApiRoutes({ publicUrl }: ServiceDependencies) {
  const document = buildOpenApi(publicUrl)
  return new Hono().get('/api/openapi.json', (c) => {
    refuseParameters(c.req.url)
    return c.json(document)
  })
}
