import sharp from 'sharp'
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

/** A larger one would cost more than `TIMEOUT_SECONDS`: it is refused by the size that its head declares. */
const MAX_PIXELS = 16_000_000
/**
 * Each scan of a progressive JPEG decodes all its pixels, and `TIMEOUT_SECONDS` counts from after the last one. Encoders write
 * ten scans; a file of 180 kB can have 2,600, which took 11 s.
 */
const MAX_SCANNED_PIXELS = 16 * MAX_PIXELS
/** WebP's own limit. */
const MAX_SIDE = 16_383
/** The time of one thread: a picture that is not drawn by then is given up. */
const TIMEOUT_SECONDS = 2
/** The most that WebP compresses costs five times the least. */
const EFFORT = 0

const JPEG_MAGIC = Buffer.from([0xff, 0xd8, 0xff])
const JPEG_SCAN = Buffer.from([0xff, 0xda])
const MAGIC: readonly ((bytes: Buffer) => boolean)[] = [
  (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  isJpeg,
  (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
]

/** The picture drawn anew as WebP, upright and without what else the file carried. */
async function renderPicture(bytes: Buffer): Promise<Uint8Array<ArrayBuffer>> {
  // Each picture takes one thread, so that its time is its cost.
  sharp.concurrency(1)
  if (!MAGIC.some((isKind) => isKind(bytes))) throw new PictureError('It is not a PNG, JPEG or WebP picture.')
  // Reads the head alone: a limit would refuse it as damaged.
  const head = sharp(bytes, { limitInputPixels: false }).metadata()
  const { width, height } = await head.catch(() => damaged())
  if (width * height > MAX_PIXELS)
    throw new PictureError(`It has more than ${MAX_PIXELS / 1_000_000} million pixels.`)
  if (width * height * countScans(bytes) > MAX_SCANNED_PIXELS)
    throw new PictureError('It is a JPEG of too many scans for its size.')
  try {
    const picture = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .autoOrient()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
      .webp({ effort: EFFORT })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .toBuffer()
    return new Uint8Array(picture)
  } catch {
    damaged()
  }
}

function isJpeg(bytes: Buffer): boolean {
  return bytes.subarray(0, 3).equals(JPEG_MAGIC)
}

/** Counts at least as many as any decoder finds: metadata can hold the marker of a scan too. */
function countScans(bytes: Buffer): number {
  if (!isJpeg(bytes)) return 1
  let count = 0
  for (let at = bytes.indexOf(JPEG_SCAN); at !== -1; at = bytes.indexOf(JPEG_SCAN, at + 1)) count += 1
  return count
}

function damaged(): never {
  throw new PictureError(`It is damaged, or takes more than ${TIMEOUT_SECONDS} seconds to draw.`)
}
