import { Hono } from 'hono'
import { createEvidenceDrawer } from './draw-evidence.ts'
import { readEvidenceName } from './evidence-name.ts'

/** Pictures of the demo records. No key is needed: their signed names are told only to those who may see the record. */
export function evidenceRoutes({ secret }: { secret: string }) {
  const drawEvidence = createEvidenceDrawer()

  return new Hono().get('/evidence/:file', async (c) => {
    const picture = readEvidenceName(c.req.param('file'), secret)
    if (picture === null) return c.json({ error: 'No such picture' }, 404)

    const png = await drawEvidence(picture)
    return c.body(new Uint8Array(png), 200, {
      'content-type': 'image/png',
      'cache-control': 'private, max-age=86400, immutable',
      'x-content-type-options': 'nosniff',
    })
  })
}
