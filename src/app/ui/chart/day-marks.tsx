import { usePlotArea, useXAxisScale, useYAxisScale } from 'recharts'
import type { ChartDay, ChartSeries } from './chart-days.ts'

/** Stripes of the ground over a colour: what is under them is only a part. */
export function HatchPattern({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="2.5" height="5" fill="var(--color-surface)" opacity="0.7" />
      </pattern>
    </defs>
  )
}

/** A line across at each of some counts. */
export function GridLines({ counts }: { counts: readonly number[] }) {
  const area = usePlotArea()
  const yScale = useYAxisScale()
  if (!area || !yScale) return null
  const lines = counts.map((count) => `M${area.x} ${yScale(count)}h${area.width}`)
  return <path d={lines.join('')} stroke="var(--color-line)" />
}

/** Of a day's width, on either side of its bar. */
const GAP = 0.08
/** Between the parts of a bar that are tall enough for it. */
const SEAM_PX = 1
const SEAM_FROM_PX = 3

type DayBarsProps = { days: readonly ChartDay[]; stack: readonly ChartSeries[]; hatch: string }

/** The parts of each day's bar from the foot up, hatched while the day is known in part. */
export function DayBars({ days, stack, hatch }: DayBarsProps) {
  const place = useDayPlaces()
  if (!place) return null
  const { xOf, yOf } = place
  const feet = days.map(() => 0)
  const box = (day: number, from: number, to: number) => {
    const { left, width } = xOf(days[day]?.date ?? '')
    const height = yOf(from) - yOf(to)
    const seam = height > SEAM_FROM_PX ? SEAM_PX : 0
    return `M${left} ${yOf(from)}v${seam - height}h${width}v${height - seam}z`
  }
  const parts = stack.map(({ color, counts }) => {
    const boxes = counts.map((count, day) => {
      if (!count) return ''
      const from = feet[day] ?? 0
      feet[day] = from + count
      return box(day, from, from + count)
    })
    return { color, d: boxes.join('') }
  })
  const partial = days.map(({ coverage }, day) => (coverage === 'partial' ? box(day, 0, feet[day] ?? 0) : ''))
  return (
    <g>
      {parts.map(({ color, d }) => (
        <path key={color} d={d} fill={color} />
      ))}
      <path d={partial.join('')} fill={`url(#${hatch})`} />
    </g>
  )
}

type PreviousDaysProps = { days: readonly ChartDay[]; previous: readonly ChartDay[] }

/** The period before as a dashed line, broken where nobody knows the count. */
export function PreviousDays({ days, previous }: PreviousDaysProps) {
  const place = useDayPlaces()
  if (!place) return null
  const steps = days.map(({ date }, day) => {
    const count = previous[day]?.count ?? null
    if (count === null) return ''
    const { middle } = place.xOf(date)
    const isJoined = day > 0 && (previous[day - 1]?.count ?? null) !== null
    return `${isJoined ? 'L' : 'M'}${middle} ${place.yOf(count)}`
  })
  return (
    <path
      d={steps.join('')}
      fill="none"
      stroke="var(--color-muted)"
      strokeWidth={1.25}
      strokeDasharray="3 3"
    />
  )
}

/** Where a day and a count stand in the chart, in pixels; null before it has a size. */
function useDayPlaces() {
  const xScale = useXAxisScale()
  const yScale = useYAxisScale()
  if (!xScale || !yScale) return null
  return {
    xOf: (date: string) => {
      const start = xScale(date, { position: 'start' }) ?? 0
      const band = (xScale(date, { position: 'end' }) ?? start) - start
      return { left: start + band * GAP, width: band * (1 - 2 * GAP), middle: start + band / 2 }
    },
    yOf: (count: number) => yScale(count) ?? 0,
  }
}

const LABEL_MIN_WIDTH = 56

/** A grey ground where nobody knows the count. */
export function UnknownDays({ days }: { days: readonly ChartDay[] }) {
  const area = usePlotArea()
  const scale = useXAxisScale()
  if (!area || !scale) return null
  return unknownRuns(days).map(({ first, last }) => {
    const start = scale(first, { position: 'start' }) ?? area.x
    const width = (scale(last, { position: 'end' }) ?? area.x) - start
    return (
      <g key={first}>
        <rect
          x={start}
          y={area.y}
          width={width}
          height={area.height}
          fill="var(--color-pressed)"
          opacity="0.6"
        />
        {width >= LABEL_MIN_WIDTH && (
          <text
            x={start + width / 2}
            y={area.y + area.height / 2}
            textAnchor="middle"
            fontSize={11}
            fill="var(--color-muted)"
          >
            not known
          </text>
        )}
      </g>
    )
  })
}

/** The first and the last day of each row of days that are not known. */
function unknownRuns(days: readonly ChartDay[]): { first: string; last: string }[] {
  const runs: { first: string; last: string }[] = []
  let isOpen = false
  for (const { date, coverage } of days) {
    const run = runs.at(-1)
    if (coverage === 'unknown' && isOpen && run) run.last = date
    else if (coverage === 'unknown') runs.push({ first: date, last: date })
    isOpen = coverage === 'unknown'
  }
  return runs
}
