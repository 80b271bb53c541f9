import { type BarShapeProps, usePlotArea, useXAxisScale, useYAxisTicks } from 'recharts'
import { count } from '#app/format/count.ts'
import { type ChartDay, type ChartSeries, type DayRow, isEmptySoFar, unknownRuns } from './chart-days.ts'
import { shortDay, shortMonth } from './day-name.ts'

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
const TICK_PX = 11

type DayBarProps = {
  bar: BarShapeProps
  row: DayRow | undefined
  stack: readonly ChartSeries[]
  /** Id of the pattern over a day that is stored in part. */
  hatch: string
}

/**
 * The parts of a day, stacked. One shape a day and plain rectangles: a Bar of Recharts for each series costs a phone
 * some 50 ms more.
 */
export function DayBar({ bar: { x, y, width, height }, row, stack, hatch }: DayBarProps) {
  if (!row || height === 0) return null
  const parts = isEmptySoFar(row) ? [{ share: 1, color: 'var(--color-edge)' }] : sharesOf(row, stack)
  let top = y + height
  return (
    <>
      {parts.map(({ share, color }) => {
        const partHeight = height * share
        top -= partHeight
        const seam = partHeight > SEAM_FROM_PX ? SEAM_PX : 0
        return (
          share > 0 && (
            <rect key={color} x={x} y={top + seam} width={width} height={partHeight - seam} fill={color} />
          )
        )
      })}
      {row.coverage === 'partial' && (
        <rect x={x} y={y} width={width} height={height} fill={`url(#${hatch})`} />
      )}
    </>
  )
}

function sharesOf({ parts, height }: DayRow, stack: readonly ChartSeries[]) {
  return stack.map(({ color }, at) => ({ share: (parts[at] ?? 0) / height, color }))
}

type TickProps = { x: number | string; y: number | string; payload: { value: unknown } }

export function DayTick(props: TickProps) {
  return <NameTick {...props} nameOf={shortDay} />
}

export function MonthTick(props: TickProps) {
  return <NameTick {...props} nameOf={shortMonth} />
}

/** Plain text: Recharts' own measures each word in the page. */
function NameTick({ x, y, payload: { value }, nameOf }: TickProps & { nameOf(date: string): string }) {
  return (
    <text x={x} y={y} dy="0.71em" textAnchor="middle" fill="var(--color-faint)" fontSize={TICK_PX}>
      {nameOf(String(value))}
    </text>
  )
}

export function CountTick({ x, y, payload: { value } }: TickProps) {
  return (
    <text x={x} y={y} dy="0.355em" textAnchor="end" fill="var(--color-faint)" fontSize={TICK_PX}>
      {count(Number(value))}
    </text>
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
            Not stored
          </text>
        )}
      </g>
    )
  })
}
