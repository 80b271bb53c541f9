import * as z from 'zod/mini'
import { notFound } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { type PictureHosts, placePicture } from '#bff/store/details/picture-address.ts'
import type { ReadThreat } from '#bff/store/details/read-threats.ts'
import type { Clock } from '#bff/time/clock.ts'
import { ReadCache } from '#bff/upstream/cache/read-cache.ts'
import { type ReadRequest, toReadRequest } from '#bff/upstream/cache/read-request.ts'
import { orProblem } from '#bff/upstream/client/to-problem.ts'
import { threatParamsSchema, threatQuerySchema } from '#contract/bff/threat-list.ts'
import { HOUR_MS } from '#contract/duration.ts'
import { resolveHost } from '#server/public-host.ts'
import { createTurns } from '#server/take-turns.ts'
import { downloadPicture, PictureError } from './download-picture.ts'
import { renderPicture } from './render-picture.ts'

const MAX_BYTES = 64 * 1024 * 1024
const FRESH_FOR_MS = HOUR_MS
const FAILURE_FOR_MS = 60_000
/** Each can take 64 MB of memory while it is decoded. */
const DECODED_AT_A_TIME = 2
/** Each can take 5 MiB, and as long as its host likes to take: slow hosts must not hold up the pictures of others. */
const READ_AT_A_TIME = 16

type EvidenceRouteDependencies = {
  /** Reads a threat from the vendor only, not from the store. */
  readVendorThreat: ReadThreat
  pictureHosts: PictureHosts
  clock: Clock
  /** Pictures that were seen with one key are not looked up for another. */
  generation: () => number
}

/** Pictures of evidence, fetched and drawn anew, each once for all who look at it. */
export function evidenceRoutes({
  readVendorThreat,
  pictureHosts,
  clock,
  generation,
}: EvidenceRouteDependencies): BffRoute[] {
  const reading = createTurns(READ_AT_A_TIME)
  const decoding = createTurns(DECODED_AT_A_TIME)
  const cache = new ReadCache<Uint8Array<ArrayBuffer>>({
    clock,
    generation,
    maxBytes: MAX_BYTES,
    freshForMs: () => FRESH_FOR_MS,
    sizeOf: ({ byteLength }) => byteLength,
    failureForMs: (error) => (error instanceof PictureError ? FAILURE_FOR_MS : 0),
  })

  async function readPicture(url: string, request: ReadRequest): Promise<Uint8Array<ArrayBuffer>> {
    const place = placePicture(url, pictureHosts)
    if (place.kind === 'refused') throw new PictureError('Pictures are not fetched from such an address.')
    if (place.kind === 'notNamed')
      throw new PictureError(`Pictures are not fetched from ${place.host}: EVIDENCE_HOSTS does not name it.`)
    const { address } = place
    const load = () =>
      reading.run(async () => {
        const bytes = await downloadPicture(address, resolveHost, pictureHosts.proxy)
        return decoding.run(() => renderPicture(bytes))
      })
    return (await cache.read(address.url.href, load, request)).value
  }

  return [
    defineRoute('GET /bff/threats/:id/evidence/:index', {
      access: 'viewer',
      params: z.extend(threatParamsSchema, {
        index: z.pipe(z.string().check(z.regex(/^\d{1,3}$/)), z.transform(Number)),
      }),
      query: threatQuerySchema,
      async answer({ params: { id, index }, query, request, session }) {
        const readRequest = toReadRequest(request, session)
        const { answer } = await orProblem(() => readVendorThreat(id, query.set ?? null, readRequest))
        const evidence = answer.threat.evidence.at(index)
        if (!evidence) throw notFound('The threat has no such evidence.')
        return {
          bytes: await orProblem(() => readPicture(evidence.url, readRequest)),
          contentType: 'image/webp',
        }
      },
    }),
  ]
}
