import { Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import sharp from 'sharp'
import { ServiceError } from '#service/errors/service-error.ts'
import { createRandom, type Random } from '#service/random.ts'
import type { ServiceDependencies, ServiceEnvironment } from '#service/service-environment.ts'
import { type EvidenceKind, type EvidencePicture, readEvidenceName } from './evidence-name.ts'

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

const WIDTH = 960
const HEIGHT = 600
const MARGIN = 40

type Palette = { back: string; panel: string; ink: string; accent: string }

const DRAWINGS: Readonly<Record<EvidenceKind, (random: Random, palette: Palette) => string>> = {
  'leak-site': drawLeakSite,
  'forum-post': drawForumPost,
  'file-listing': drawFileListing,
}

/** A mock screenshot of shapes alone, since a bare machine has no fonts. The same picture has the same drawing. */
function evidenceSvg({ kind, seed }: EvidencePicture): string {
  const random = createRandom(seed)
  const hue = random.between(0, 359)
  const palette = {
    back: `hsl(${hue} 20% 9%)`,
    panel: `hsl(${hue} 18% 16%)`,
    ink: `hsl(${hue} 12% 62%)`,
    accent: `hsl(${(hue + 150) % 360} 70% 52%)`,
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">`,
    bar(0, 0, WIDTH, HEIGHT, palette.back),
    bar(0, 0, WIDTH, 56, palette.panel),
    bar(MARGIN, 18, random.between(120, 220), 20, palette.accent),
    ...[0, 1, 2, 3].map((item) => bar(560 + item * 92, 22, 64, 12, palette.ink)),
    DRAWINGS[kind](random, palette),
    DEMO_MARK,
    '</svg>',
  ].join('')
}

function drawLeakSite(random: Random, { panel, ink, accent }: Palette): string {
  return [0, 1, 2, 3, 4, 5]
    .map((card) => {
      const x = MARGIN + (card % 3) * 300
      const y = 90 + Math.floor(card / 3) * 245
      const countdown = [0, 1, 2, 3].map((digit) => bar(x + 20 + digit * 60, y + 168, 48, 30, accent))
      return (
        bar(x, y, 280, 220, panel) +
        textLines(random, { x: x + 20, y: y + 24, width: 240, count: 5, ink }) +
        countdown.join('')
      )
    })
    .join('')
}

function drawForumPost(random: Random, { panel, ink, accent }: Palette): string {
  return [0, 1]
    .map((post) => {
      const y = 90 + post * 245
      const avatar = `<circle cx="${MARGIN + 90}" cy="${y + 70}" r="42" fill="${accent}"/>`
      const profile = textLines(random, { x: MARGIN + 40, y: y + 130, width: 100, count: 3, ink })
      const body = textLines(random, { x: MARGIN + 210, y: y + 24, width: 620, count: 7, ink })
      return bar(MARGIN, y, WIDTH - 2 * MARGIN, 220, panel) + avatar + profile + body
    })
    .join('')
}

function drawFileListing(random: Random, { panel, ink, accent }: Palette): string {
  return Array.from({ length: 15 }, (_, row) => {
    const y = 84 + row * 33
    const indent = random.between(0, 3) * 24
    return [
      bar(MARGIN, y, WIDTH - 2 * MARGIN, 28, row % 2 === 0 ? panel : 'none'),
      bar(MARGIN + 16 + indent, y + 7, 16, 14, accent),
      bar(MARGIN + 44 + indent, y + 8, random.between(120, 380), 12, random.chance(0.3) ? '#000' : ink),
      bar(640, y + 8, random.between(30, 80), 12, ink),
      bar(780, y + 8, 110, 12, ink),
    ].join('')
  }).join('')
}

type TextBlock = { x: number; y: number; width: number; count: number; ink: string }

/** Lines of bars, some blackened like names that someone hid. */
function textLines(random: Random, { x, y, width, count, ink }: TextBlock): string {
  return Array.from({ length: count }, (_, line) => {
    const length = random.between(Math.round(width * 0.4), width)
    return bar(x, y + line * 27, length, 13, random.chance(0.25) ? '#000' : ink)
  }).join('')
}

function bar(x: number, y: number, width: number, height: number, fill: string): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="3" fill="${fill}"/>`
}

// The word DEMO, stroke by stroke.
const DEMO_MARK =
  '<g transform="translate(190 400) rotate(-18)" fill="none" stroke="#fff" stroke-opacity=".55" stroke-width="22" stroke-linejoin="round">' +
  '<path d="M0 0V150H45Q100 150 100 75Q100 0 45 0Z"/>' +
  '<path transform="translate(150)" d="M95 0H0V150H95M0 75H80"/>' +
  '<path transform="translate(295)" d="M0 150V0L62 85L124 0V150"/>' +
  '<path transform="translate(470)" d="M55 0Q110 0 110 75Q110 150 55 150Q0 150 0 75Q0 0 55 0Z"/>' +
  '</g>'
