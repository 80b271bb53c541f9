import { LRUCache } from 'lru-cache'
import sharp from 'sharp'
import type { EvidencePicture } from './evidence-name.ts'
import { evidenceSvg } from './evidence-svg.ts'

const CACHED_MAX_COUNT = 200

/** Draws pictures as PNG and remembers the latest ones. */
export function createEvidenceDrawer(): (picture: EvidencePicture) => Promise<Buffer> {
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
