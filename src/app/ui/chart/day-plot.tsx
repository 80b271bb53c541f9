import { memo, type Ref, useId } from 'react'
import { Bar, type BarShapeProps, ComposedChart, Line, Tooltip, XAxis, YAxis } from 'recharts'
import { count } from '#app/format/count.ts'
import {
  type ChartSeries,
  type DayChartData,
  type DayRow,
  hasPrevious,
  isEmptySoFar,
  PREVIOUS_COLOR,
  plotRows,
} from './chart-days.ts'
import { CountTick, DayBar, DayTick, GridLines, HatchPattern, MonthTick, UnknownDays } from './day-marks.tsx'
import { DayTooltip } from './day-tooltip.tsx'

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
