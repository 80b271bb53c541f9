import sharp from 'sharp'
import { PictureError } from './download-picture.ts'

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
export async function renderPicture(bytes: Buffer): Promise<Uint8Array<ArrayBuffer>> {
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
