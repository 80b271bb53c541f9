import { exactTime } from '#app/format/time.ts'
import { saveFile } from '#app/ui/save-file.ts'
import {
  type ChartAbout,
  type ChartSeries,
  type DayChartData,
  hasPrevious,
  PREVIOUS_COLOR,
} from './chart-days.ts'
import { daysCsv } from './days-csv.ts'
import { drawPng } from './draw-png.ts'

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
