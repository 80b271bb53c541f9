import type { ChartDay, ChartSeries } from './chart-days.ts'

/** Where days and counts stand in a chart, in pixels. */
export type DayPlaces = {
  xOf(date: string): { start: number; end: number }
  yOf(count: number): number
}

type BarPaths = {
  /** From the foot up. */
  parts: { color: string; d: string }[]
  /** The feet of days that are known in part and hold nothing so far: else they would look like days to come. */
  feet: string
  /** Over all that is known in part. */
  hatched: string
}

/** Of a day's width, on either side of its bar. */
const GAP = 0.08
/** Between the parts of a bar that are tall enough for it. */
const SEAM_PX = 1
const SEAM_FROM_PX = 3
const FOOT_PX = 4

/** Each day's bar, part upon part. */
export function barPaths(
  days: readonly ChartDay[],
  stack: readonly ChartSeries[],
  { xOf, yOf }: DayPlaces,
): BarPaths {
  const tops = days.map(() => 0)
  const bar = (date: string, foot: number, height: number) => {
    const { start, end } = xOf(date)
    const gap = (end - start) * GAP
    return `M${start + gap} ${foot}v${-height}h${end - start - 2 * gap}v${height}z`
  }
  const parts = stack.map(({ color, counts }) => {
    const bars = days.map(({ date }, day) => {
      const count = counts[day]
      if (!count) return ''
      const from = tops[day] ?? 0
      tops[day] = from + count
      const height = yOf(from) - yOf(from + count)
      return bar(date, yOf(from), height > SEAM_FROM_PX ? height - SEAM_PX : height)
    })
    return { color, d: bars.join('') }
  })
  const partial = days.flatMap(({ date, coverage }, day) =>
    coverage === 'partial' ? [{ date, top: tops[day] ?? 0 }] : [],
  )
  const feet = partial.filter(({ top }) => top === 0).map(({ date }) => bar(date, yOf(0), FOOT_PX))
  const held = partial
    .filter(({ top }) => top > 0)
    .map(({ date, top }) => bar(date, yOf(0), yOf(0) - yOf(top)))
  return { parts, feet: feet.join(''), hatched: [...held, ...feet].join('') }
}

type PreviousPaths = {
  area: string
  /** The part of the area that is known in part. */
  hatched: string
  /** The upper edge, broken where nobody knows the count. */
  edge: string
  /** The upper edge of what is known in part. */
  partialEdge: string
}

/** The days before as steps, each as wide as the day that it stands for. */
export function previousPaths(
  days: readonly ChartDay[],
  previous: readonly ChartDay[],
  { xOf, yOf }: DayPlaces,
): PreviousPaths {
  const steps = days.map(({ date }, day) => {
    const before = previous[day]
    if (!before || before.count === null) return null
    return { ...xOf(date), top: yOf(before.count), isPartial: before.coverage === 'partial' }
  })
  const known = steps.filter((step) => step !== null)
  const boxOf = ({ start, end, top }: (typeof known)[number]) =>
    `M${start} ${yOf(0)}V${top}H${end}V${yOf(0)}z`
  const edge = steps.map((step, day) => {
    if (!step) return ''
    const rise = day > 0 && steps[day - 1] ? `V${step.top}` : `M${step.start} ${step.top}`
    return step.isPartial ? `${rise}M${step.end} ${step.top}` : `${rise}H${step.end}`
  })
  const partial = known.filter(({ isPartial }) => isPartial)
  return {
    area: known.map(boxOf).join(''),
    hatched: partial.map(boxOf).join(''),
    edge: edge.join(''),
    partialEdge: partial.map(({ start, end, top }) => `M${start} ${top}H${end}`).join(''),
  }
}
