import { usePlotArea, useXAxisScale, useYAxisScale } from 'recharts'
import type { ChartDay, ChartSeries } from './chart-days.ts'
import { barPaths, type DayPlaces, previousPaths } from './day-paths.ts'

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

type DayBarsProps = { days: readonly ChartDay[]; stack: readonly ChartSeries[]; hatch: string }

/** The parts of each day's bar from the foot up, hatched while the day is known in part. */
export function DayBars({ days, stack, hatch }: DayBarsProps) {
  const places = useDayPlaces()
  if (!places) return null
  const { parts, feet, hatched } = barPaths(days, stack, places)
  return (
    <g>
      {parts.map(({ color, d }) => (
        <path key={color} d={d} fill={color} />
      ))}
      <path d={feet} fill="var(--color-edge)" />
      <path d={hatched} fill={`url(#${hatch})`} />
    </g>
  )
}

type PreviousDaysProps = { days: readonly ChartDay[]; previous: readonly ChartDay[] }

/** The period before as a pale ground, hatched where it is known in part: goes behind the bars. */
export function PreviousGround({ days, previous, hatch }: PreviousDaysProps & { hatch: string }) {
  const places = useDayPlaces()
  if (!places) return null
  const { area, hatched } = previousPaths(days, previous, places)
  return (
    <g>
      <path d={area} fill="var(--color-muted)" opacity="0.13" />
      <path d={hatched} fill={`url(#${hatch})`} />
    </g>
  )
}

/** The upper edge of the period before, to be read over the bars as well. */
export function PreviousEdge({ days, previous }: PreviousDaysProps) {
  const places = useDayPlaces()
  if (!places) return null
  const { edge, partialEdge } = previousPaths(days, previous, places)
  return (
    <g fill="none">
      <path d={edge + partialEdge} stroke="var(--color-surface)" strokeWidth="3" opacity="0.6" />
      <path d={edge} stroke="var(--color-muted)" />
      <path d={partialEdge} stroke="var(--color-muted)" strokeDasharray="2 2" />
    </g>
  )
}

/** Null before the chart has a size. */
function useDayPlaces(): DayPlaces | null {
  const xScale = useXAxisScale()
  const yScale = useYAxisScale()
  if (!xScale || !yScale) return null
  return {
    xOf: (date) => {
      const start = xScale(date, { position: 'start' }) ?? 0
      return { start, end: xScale(date, { position: 'end' }) ?? start }
    },
    yOf: (count) => yScale(count) ?? 0,
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
