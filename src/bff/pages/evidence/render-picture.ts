import sharp from 'sharp'
import { PictureError } from './picture-error.ts'

const MAX_PIXELS = 40_000_000
/** WebP's own limit. */
const MAX_SIDE = 16_383
const TIMEOUT_SECONDS = 10

const MAGIC: readonly ((bytes: Buffer) => boolean)[] = [
  (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
]

/** The picture drawn anew as WebP, upright and without what else the file carried. */
export async function renderPicture(bytes: Buffer): Promise<Uint8Array<ArrayBuffer>> {
  if (!MAGIC.some((isKind) => isKind(bytes))) {
    throw new PictureError('It is not a PNG, JPEG or WebP picture.')
  }
  try {
    const picture = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .autoOrient()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
      .webp()
      .timeout({ seconds: TIMEOUT_SECONDS })
      .toBuffer()
    return new Uint8Array(picture)
  } catch {
    throw new PictureError('It is damaged, or has more than 40 million pixels.')
  }
}
