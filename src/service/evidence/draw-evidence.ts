import sharp from 'sharp'
import type { EvidencePicture } from './evidence-name.ts'
import { evidenceSvg } from './evidence-svg.ts'

const CACHED_MAX_COUNT = 200

/** Draws pictures as PNG and remembers the latest ones. */
export function createEvidenceDrawer(): (picture: EvidencePicture) => Promise<Buffer> {
  const drawn = new Map<string, Promise<Buffer>>()

  return function drawEvidence(picture) {
    const name = `${picture.kind}-${picture.seed}`
    const png =
      drawn.get(name) ??
      sharp(Buffer.from(evidenceSvg(picture)))
        .png({ palette: true })
        .toBuffer()
    drawn.delete(name)
    drawn.set(name, png)
    const [oldest] = drawn.keys()
    if (drawn.size > CACHED_MAX_COUNT && oldest !== undefined) drawn.delete(oldest)
    return png
  }
}
