import { clipText } from '#app/format/clip-text.ts'
import { visibleLine } from '#app/format/visible-text.ts'

type Picture = { title: string; legend: readonly { name: string; color: string }[] }

/** What a stylesheet gives, and a picture on its own would lack. */
const STYLES = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-size',
  'font-family',
  'text-anchor',
]

const SCALE = 2
const PADDING = 16
const LINE = 20
const NAME_MAX_LENGTH = 40

/** Draws a chart as it is on the screen, its title and legend above it, as a PNG. */
export async function drawPng(plot: SVGSVGElement, { title, legend }: Picture): Promise<Blob> {
  const { width, height } = plot.getBoundingClientRect()
  const image = await loadImage(copyWithStyles(plot, { width, height }))
  const canvas = document.createElement('canvas')
  const paper = canvas.getContext('2d')
  if (!paper) throw new Error('The browser has no canvas')
  const names = legend.length > 1 ? legend : []
  const font = getComputedStyle(document.body).fontFamily
  paper.font = `12px ${font}`
  const lines = breakLegend(names, width, (text) => paper.measureText(text).width)
  const top = PADDING + LINE * (lines.length + 1)
  canvas.width = (width + 2 * PADDING) * SCALE
  canvas.height = (top + height + PADDING) * SCALE
  paper.scale(SCALE, SCALE)
  paper.fillStyle = colorOf('var(--color-surface)')
  paper.fillRect(0, 0, canvas.width, canvas.height)
  paper.textBaseline = 'middle'
  paper.font = `600 13px ${font}`
  paper.fillStyle = colorOf('var(--color-ink)')
  paper.fillText(title, PADDING, PADDING + LINE / 2 - 4, width)
  paper.font = `12px ${font}`
  lines.forEach((line, row) => {
    for (const { x, name, color } of line) {
      const y = PADDING + LINE * (row + 1.5) - 4
      paper.fillStyle = colorOf(color)
      paper.fillRect(PADDING + x, y - 5, 10, 10)
      paper.fillStyle = colorOf('var(--color-muted)')
      paper.fillText(name, PADDING + x + 15, y)
    }
  })
  paper.drawImage(image, PADDING, top, width, height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The canvas is empty'))), 'image/png')
  })
}

type Placed = { x: number; name: string; color: string }

/** The names of the legend in lines of a width. */
function breakLegend(
  legend: Picture['legend'],
  width: number,
  widthOf: (text: string) => number,
): Placed[][] {
  const lines: Placed[][] = []
  let x = 0
  for (const { name, color } of legend) {
    const shown = clipText(visibleLine(name), NAME_MAX_LENGTH)
    const taken = widthOf(shown) + 32
    if (lines.length === 0 || x + taken > width) {
      lines.push([])
      x = 0
    }
    lines.at(-1)?.push({ x, name: shown, color })
    x += taken
  }
  return lines
}

/** What a token is in the theme of now. */
function colorOf(color: string): string {
  const probe = document.createElement('span')
  probe.style.color = color
  document.body.append(probe)
  const computed = getComputedStyle(probe).color
  probe.remove()
  return computed
}

function copyWithStyles(plot: SVGSVGElement, { width, height }: { width: number; height: number }): string {
  const copy = plot.cloneNode(true)
  if (!(copy instanceof SVGSVGElement)) throw new Error('The chart is no picture')
  const copies = copy.querySelectorAll('*')
  plot.querySelectorAll('*').forEach((original, at) => {
    const computed = getComputedStyle(original)
    for (const name of STYLES) copies[at]?.setAttribute(name, computed.getPropertyValue(name))
  })
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  return new XMLSerializer().serializeToString(copy)
}

async function loadImage(svg: string): Promise<HTMLImageElement> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    return image
  } finally {
    URL.revokeObjectURL(address)
  }
}
