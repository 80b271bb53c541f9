import { memo, type Ref, useId } from 'react'
import {
  Bar,
  type BarShapeProps,
  ComposedChart,
  Line,
  Tooltip,
  usePlotArea,
  useXAxisScale,
  useYAxisTicks,
  XAxis,
  YAxis,
} from 'recharts'
import { count, countOf } from '#app/format/count.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import {
  type ChartDay,
  type ChartSeries,
  type DayChartData,
  type DayRow,
  hasPrevious,
  isEmptySoFar,
  PREVIOUS_COLOR,
  plotRows,
  unknownRuns,
} from './chart-days.ts'
import { intervalName, shortDay, shortMonth } from './day-name.ts'
import { PreviousSwatch, Swatch } from './swatch.tsx'

type DayPlotProps = {
  data: DayChartData
  stack: readonly ChartSeries[]
  /** The accessible name. */
  label: string
  ref?: Ref<SVGSVGElement>
}

/** Width of a digit in the font size of the ticks. */
const DIGIT_PX = 7
const TICK_GAP_PX = 12
/** How much higher than its tallest bar an axis can end, where that takes a digit more: 75 and 100. */
const HEADROOM = 4 / 3
const MARGIN = { top: 8, right: 8, bottom: 0, left: 4 }
/** One tick a week, and as many of other units as have room on a phone. */
const BETWEEN_TICKS = { day: 6, week: 2, month: 0 } as const
const ALL_TICKS_MAX_COUNT = 7
/** Height of a partly stored day without threats. Without a bar it would look like a future day. */
const FOOT_PX = 4

/**
 * Bars by day, and the days before as a line over them. The mouse and the arrow keys go from day to day. Memoized: a
 * change of any prop of a series makes Recharts compute and draw the whole chart again.
 */
export const DayPlot = memo(function DayPlot({ data, stack, label, ref }: DayPlotProps) {
  const hatch = useId()
  const rows = plotRows(data, stack)
  const most = Math.max(1, ...rows.map(({ height, before }) => Math.max(height, before ?? 0)))

  return (
    <ComposedChart
      ref={ref}
      data={rows}
      responsive
      accessibilityLayer
      aria-label={label}
      margin={MARGIN}
      barCategoryGap="16%"
      className="h-full w-full text-2xs print:h-full! print:w-full!"
    >
      <HatchPattern id={hatch} />
      <GridLines />
      <UnknownDays days={data.days} />
      <Tooltip
        content={({ label: date, active }) =>
          active && typeof date === 'string' ? <DayTooltip date={date} data={data} stack={stack} /> : null
        }
        cursor={{ stroke: 'var(--color-edge)' }}
        // An unknown day says so.
        filterNull={false}
        isAnimationActive={false}
      />
      <Bar
        dataKey="height"
        minPointSize={(_, at) => (isEmptySoFar(rows[at]) ? FOOT_PX : 0)}
        shape={(bar: BarShapeProps) => (
          <DayBar bar={bar} row={rows[bar.originalDataIndex]} stack={stack} hatch={hatch} />
        )}
        isAnimationActive={false}
        zIndex={0}
      />
      {hasPrevious(data.previous) && (
        <Line
          name={data.previousName}
          dataKey={(row: DayRow) => row.before}
          stroke={PREVIOUS_COLOR}
          strokeWidth={1}
          strokeDasharray="4 3"
          // A day between two unknown ones is a dot.
          strokeLinecap="round"
          // A line cannot be hatched: a day that is stored in part has a ring.
          dot={({ key, cx, cy, index }) =>
            rows[index]?.isPartialBefore ? (
              <circle key={key} cx={cx} cy={cy} r={3} fill="var(--color-surface)" stroke={PREVIOUS_COLOR} />
            ) : null
          }
          activeDot={false}
          isAnimationActive={false}
          zIndex={0}
        />
      )}
      <XAxis
        dataKey="date"
        tick={data.unit === 'month' ? MonthTick : DayTick}
        tickLine={false}
        axisLine={{ stroke: 'var(--color-edge)' }}
        interval={rows.length > ALL_TICKS_MAX_COUNT ? BETWEEN_TICKS[data.unit] : 0}
        height={22}
      />
      <YAxis
        tick={CountTick}
        tickLine={false}
        axisLine={false}
        allowDecimals={false}
        interval={0}
        // Recharts can find it out by itself, and draws everything once more for it.
        width={count(Math.round(most * HEADROOM)).length * DIGIT_PX + TICK_GAP_PX}
      />
    </ComposedChart>
  )
})

type DayTooltipProps = { date: string; data: DayChartData; stack: readonly ChartSeries[] }

const COVERAGES = { whole: null, partial: 'incomplete day', unknown: 'Not stored' } as const

/** The numbers of one bar; read out as the arrow keys move. */
function DayTooltip({
  date,
  data: { days, previous, series, unit, rows, previousName },
  stack,
}: DayTooltipProps) {
  const at = days.findIndex((day) => day.date === date)
  const day = days[at]
  if (!day) return null
  const before = previous[at]
  const note = COVERAGES[day.coverage]
  return (
    <div
      role="status"
      className="grid max-w-64 gap-1 rounded-md border border-line bg-raised p-2.5 text-ink text-xs shadow-floating"
    >
      <p className="flex items-baseline justify-between gap-4">
        <span className="text-muted">{intervalName(day, unit)}</span>
        {day.count !== null && (
          <b className="font-semibold tabular-nums">
            {countOf(day.count, rows === 'cases' ? 'case' : 'claim')}
          </b>
        )}
      </p>
      {day.claims !== undefined && day.claims !== null && (
        <p className="text-right text-faint tabular-nums">{countOf(day.claims, 'claim')}</p>
      )}
      {note && <p className="text-medium">{note}</p>}
      {series.length > 0 && (
        <ul className="grid gap-0.5">
          {stack.toReversed().map(
            ({ name, color, counts }) =>
              Boolean(counts[at]) && (
                <li key={color} className="flex items-center gap-1.5">
                  <Swatch color={color} />
                  <span className="min-w-0 flex-1 truncate">
                    <Untrusted text={name} maxLength={60} clip="silent" />
                  </span>
                  <span className="pl-3 tabular-nums">{count(counts[at])}</span>
                </li>
              ),
          )}
        </ul>
      )}
      {before && before.count !== null && (
        <p className="flex items-center gap-1.5 text-faint">
          <PreviousSwatch />
          <span className="flex-1">
            {unit === 'day' ? `${previousName}, ` : ''}
            {intervalName(before, unit)}
            {before.coverage === 'partial' && ', in part'}
            {before.coverage === 'whole' && day.coverage === 'partial' && `, whole ${unit}`}
          </span>
          <span className="pl-3 tabular-nums">{count(before.count)}</span>
        </p>
      )}
    </div>
  )
}

/** Stripes of the ground over a colour: what is under them is only a part. */
function HatchPattern({ id }: { id: string }) {
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
function DayBar({ bar: { x, y, width, height }, row, stack, hatch }: DayBarProps) {
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

function DayTick(props: TickProps) {
  return <NameTick {...props} nameOf={shortDay} />
}

function MonthTick(props: TickProps) {
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

function CountTick({ x, y, payload: { value } }: TickProps) {
  return (
    <text x={x} y={y} dy="0.355em" textAnchor="end" fill="var(--color-faint)" fontSize={TICK_PX}>
      {count(Number(value))}
    </text>
  )
}

const LABEL_MIN_WIDTH = 72

/** A line across at each count of the axis. */
function GridLines() {
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
function UnknownDays({ days }: { days: readonly ChartDay[] }) {
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
