import { Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import sharp from 'sharp'
import { ServiceError } from '#service/errors/service-error.ts'
import type { ServiceDependencies, ServiceEnvironment } from '#service/service-environment.ts'
import { type EvidencePicture, readEvidenceName } from './evidence-name.ts'
import { evidenceSvg } from './evidence-svg.ts'

const CACHED_MAX_COUNT = 200

/** Pictures of the demo records. No key is needed: their signed names are given only to those who may see the record. */
export function evidenceRoutes({ secret, secretBefore }: ServiceDependencies) {
  const drawEvidence = createEvidenceDrawer()

  return new Hono<ServiceEnvironment>().get('/evidence/:file', async (c) => {
    const picture = readEvidenceName(c.req.param('file'), secret, secretBefore)
    if (picture === null) throw new ServiceError(404, 'Picture not found')

    return c.body(new Uint8Array(await drawEvidence(picture)), 200, {
      'content-type': 'image/png',
      'cache-control': 'private, max-age=86400, immutable',
    })
  })
}

/** Draws pictures as PNG and remembers the latest ones. */
function createEvidenceDrawer(): (picture: EvidencePicture) => Promise<Buffer> {
  const drawn = new LRUCache<string, Promise<Buffer>>({ max: CACHED_MAX_COUNT })

  return function drawEvidence(picture) {
    const name = `${picture.kind}-${picture.seed}`
    const png =
      drawn.get(name) ??
      sharp(Buffer.from(evidenceSvg(picture)))
        .png({ palette: true })
        .toBuffer()
    drawn.set(name, png)
    return png
  }
}
