import { Hono } from 'hono'
import { ServiceError } from '#service/errors/service-error.ts'
import type { ServiceDependencies, ServiceEnvironment } from '#service/service-environment.ts'
import { createEvidenceDrawer } from './draw-evidence.ts'
import { readEvidenceName } from './evidence-name.ts'

/** Pictures of the demo records. No key is needed: their signed names are told only to those who may see the record. */
export function evidenceRoutes({ secret }: ServiceDependencies) {
  const drawEvidence = createEvidenceDrawer()

  return new Hono<ServiceEnvironment>().get('/evidence/:file', async (c) => {
    const picture = readEvidenceName(c.req.param('file'), secret)
    if (picture === null) throw new ServiceError(404, 'Picture not found')

    return c.body(new Uint8Array(await drawEvidence(picture)), 200, {
      'content-type': 'image/png',
      'cache-control': 'private, max-age=86400, immutable',
    })
  })
}
