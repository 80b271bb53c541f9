import { type BarShapeProps, usePlotArea, useXAxisScale } from 'recharts'
import type { ChartDay } from './chart-days.ts'

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

type DayBarProps = { bar: BarShapeProps; isPartial: boolean; hatch: string }

/** One part of a day's bar: hatched while the day is known in part. */
export function DayBar({ bar: { x, y, width, height, fill }, isPartial, hatch }: DayBarProps) {
  const box = { x, y, width, height }
  return (
    <g>
      <rect {...box} fill={fill} stroke="var(--color-surface)" strokeWidth={height > 3 ? 1 : 0} />
      {isPartial && <rect {...box} fill={`url(#${hatch})`} />}
    </g>
  )
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
