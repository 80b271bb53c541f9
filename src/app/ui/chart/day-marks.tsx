import { type BarShapeProps, usePlotArea, useXAxisScale, useYAxisTicks } from 'recharts'
import { type ChartDay, unknownRuns } from './chart-days.ts'

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

/** Between the parts of a bar that are tall enough for it. */
const SEAM_PX = 1
const SEAM_FROM_PX = 4

type DayPartProps = {
  bar: BarShapeProps
  color: string
  /** The pattern over what is stored in part; absent over what is whole. */
  hatch?: string
}

/** A part of a day's bar. Plain rectangles: Recharts' own measure themselves, and there may be hundreds. */
export function DayPart({ bar: { x, y, width, height }, color, hatch }: DayPartProps) {
  if (height === 0) return null
  const seam = height > SEAM_FROM_PX ? SEAM_PX : 0
  const place = { x, y: y + seam, width, height: height - seam }
  return (
    <>
      <rect {...place} fill={color} />
      {hatch && <rect {...place} fill={`url(#${hatch})`} />}
    </>
  )
}

const LABEL_MIN_WIDTH = 72

/** A line across at each count of the axis. */
export function GridLines() {
  const plot = usePlotArea()
  const ticks = useYAxisTicks()
  return (
    plot &&
    ticks?.map(({ value, coordinate }) => (
      <line
        key={value}
        x1={plot.x}
        x2={plot.x + plot.width}
        y1={coordinate}
        y2={coordinate}
        stroke="var(--color-line)"
      />
    ))
  )
}

/** A ground for each run of days of which nothing is known, and words where there is room. */
export function UnknownDays({ days }: { days: readonly ChartDay[] }) {
  const plot = usePlotArea()
  const scale = useXAxisScale()
  if (!plot || !scale) return null
  return unknownRuns(days).map(({ first, last }) => {
    const start = scale(first, { position: 'start' }) ?? plot.x
    const width = (scale(last, { position: 'end' }) ?? start) - start
    const { y, height } = plot
    return (
      <g key={first}>
        <rect x={start} y={y} width={width} height={height} fill="var(--color-pressed)" fillOpacity={0.6} />
        {width >= LABEL_MIN_WIDTH && (
          <text
            x={start + width / 2}
            y={y + height / 2}
            textAnchor="middle"
            fontSize={11}
            fill="var(--color-muted)"
          >
            not available
          </text>
        )}
      </g>
    )
  })
}
