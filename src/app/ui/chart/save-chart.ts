import { clipText } from '#app/format/clip-text.ts'
import { exactTime } from '#app/format/time.ts'
import { saveFile } from '#app/ui/save-file.ts'
import { visibleLine } from '#contract/visible-text.ts'
import {
  type ChartAbout,
  type ChartSeries,
  type DayChartData,
  hasPrevious,
  PREVIOUS_COLOR,
} from './chart-days.ts'
import { daysCsv } from './days-csv.ts'

type Shown = {
  data: DayChartData
  about: ChartAbout
  fileName: string
  stack: readonly ChartSeries[]
  timeZone: string
}

/** Saves a chart as it is drawn; false where the browser cannot. */
export async function savePicture(
  plot: SVGSVGElement,
  { data, stack, about, fileName, timeZone }: Shown,
): Promise<boolean> {
  const legend = hasPrevious(data.previous)
    ? [...stack, { color: PREVIOUS_COLOR, name: `${data.previousName} (dashed)` }]
    : stack
  const foot = [
    ...(data.days.some(({ coverage }) => coverage === 'partial') ? ['Striped: incomplete day.'] : []),
    ...(data.overlap ? [data.overlap] : []),
    about.source,
    `Saved from Lantern, ${exactTime(Date.now(), timeZone)}`,
  ]
  const picture = await drawPng(plot, { title: about.title, time: about.time, legend, foot }).catch(
    () => null,
  )
  if (picture) saveFile(picture, `${fileName}.png`)
  return picture !== null
}

/** Saves the numbers of a chart. */
export function saveNumbers(data: DayChartData, fileName: string): void {
  saveFile(new Blob([daysCsv(data)], { type: 'text/csv' }), `${fileName}.csv`)
}

type Picture = {
  title: string
  time: string
  legend: readonly { name: string; color: string }[]
  /** Its lines below the chart. */
  foot: readonly string[]
}

/** Style properties that the stylesheet sets and a separate picture would lose. */
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

/** Draws a chart as it is on the screen, what and when it shows above it, and where it comes from below, as a PNG. */
async function drawPng(plot: SVGSVGElement, { title, time, legend, foot }: Picture): Promise<Blob> {
  const { width, height } = plot.getBoundingClientRect()
  const image = await loadImage(copyWithStyles(plot, { width, height }))
  const canvas = document.createElement('canvas')
  const paper = canvas.getContext('2d')
  if (!paper) throw new Error('The browser has no canvas')
  const family = getComputedStyle(document.body).fontFamily
  const [strong, normal] = [`600 13px ${family}`, `12px ${family}`]
  const breakTexts = (font: string, texts: readonly string[]) => {
    paper.font = font
    const lines = texts.flatMap((text) => breakText(text, width, (part) => paper.measureText(part).width))
    return lines.map((text) => ({ font, text }))
  }
  const head = [...breakTexts(strong, [title]), ...breakTexts(normal, [time])]
  const names = breakLegend(legend.length > 1 ? legend : [], width, (text) => paper.measureText(text).width)
  const below = breakTexts(normal, foot)
  const top = PADDING + LINE * (head.length + names.length)
  // Resizing a canvas resets its context.
  canvas.width = (width + 2 * PADDING) * SCALE
  canvas.height = (top + height + LINE * below.length + 2 * PADDING) * SCALE
  paper.scale(SCALE, SCALE)
  paper.fillStyle = colorOf('var(--color-surface)')
  paper.fillRect(0, 0, canvas.width, canvas.height)
  paper.textBaseline = 'middle'
  const write = ({ font, text }: (typeof head)[number], { color, y }: { color: string; y: number }) => {
    paper.font = font
    paper.fillStyle = color
    paper.fillText(text, PADDING, y, width)
  }
  const [ink, muted] = [colorOf('var(--color-ink)'), colorOf('var(--color-muted)')]
  head.forEach((line, row) => {
    write(line, { color: line.font === strong ? ink : muted, y: PADDING + LINE * (row + 0.5) - 4 })
  })
  names.forEach((line, row) => {
    for (const { x, name, color } of line) {
      const y = PADDING + LINE * (head.length + row + 0.5) - 4
      paper.fillStyle = colorOf(color)
      paper.fillRect(PADDING + x, y - 5, 10, 10)
      paper.fillStyle = muted
      paper.fillText(name, PADDING + x + 15, y)
    }
  })
  paper.drawImage(image, PADDING, top, width, height)
  below.forEach((line, row) => {
    write(line, { color: muted, y: top + height + PADDING + LINE * (row + 0.5) - 4 })
  })
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The canvas is empty'))), 'image/png')
  })
}

/** The words of a text in lines of a width. */
function breakText(text: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trim()
    if (lines.length > 0 && widthOf(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
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

/** Returns the value of a design token in the current theme. */
function colorOf(color: string): string {
  const probe = document.createElement('span')
  // A file has no reader whose colours it must take.
  probe.style.setProperty('forced-color-adjust', 'none')
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
