import { type Ref, useId } from 'react'
import { Bar, CartesianGrid, ComposedChart, Line, Tooltip, XAxis, YAxis } from 'recharts'
import { count } from '#app/format/count.ts'
import { type DayChartData, hasPrevious, stackSeries } from './chart-days.ts'
import { DayBar, HatchPattern, UnknownDays } from './day-marks.tsx'
import { shortDay } from './day-name.ts'
import { DayTooltip } from './day-tooltip.tsx'

type DayPlotProps = {
  data: DayChartData
  /** The accessible name. */
  label: string
  ref?: Ref<SVGSVGElement>
}

const TICK = { fill: 'var(--color-faint)', fontSize: 11 }
/** Of a digit of the ticks' size. */
const DIGIT_PX = 7
const TICK_GAP_PX = 12
const MARGIN = { top: 8, right: 0, bottom: 0, left: 4 }

/** Bars by day, and the days before as a line behind them. The mouse and the arrow keys go from day to day. */
export function DayPlot({ data, label, ref }: DayPlotProps) {
  const hatch = useId()
  const { days, previous } = data
  const stack = stackSeries(data)
  const rows = days.map(({ date }, day) => ({
    date,
    previous: previous[day]?.count ?? null,
    ...Object.fromEntries(stack.map(({ counts }, at) => [keyOf(at), counts[day] ?? null])),
  }))

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
      <CartesianGrid vertical={false} stroke="var(--color-line)" />
      <XAxis
        dataKey="date"
        tick={TICK}
        tickFormatter={shortDay}
        tickLine={false}
        axisLine={{ stroke: 'var(--color-edge)' }}
        interval="equidistantPreserveStart"
        minTickGap={20}
        height={22}
      />
      <YAxis
        tick={TICK}
        tickFormatter={count}
        tickLine={false}
        axisLine={false}
        allowDecimals={false}
        width={axisWidth(days, previous)}
      />
      <UnknownDays days={days} />
      <Tooltip
        content={({ label: date, active }) =>
          active && typeof date === 'string' ? <DayTooltip date={date} data={data} stack={stack} /> : null
        }
        cursor={{ fill: 'var(--color-hover)' }}
        isAnimationActive={false}
      />
      {stack.map(({ color }, at) => (
        <Bar
          key={color}
          dataKey={keyOf(at)}
          stackId="day"
          fill={color}
          isAnimationActive={false}
          shape={(bar) => (
            <DayBar bar={bar} isPartial={days[bar.index]?.coverage === 'partial'} hatch={hatch} />
          )}
        />
      ))}
      {hasPrevious(data) && (
        <Line
          dataKey="previous"
          stroke="var(--color-muted)"
          strokeWidth={1.25}
          strokeDasharray="3 3"
          type="linear"
          dot={false}
          activeDot={false}
          isAnimationActive={false}
        />
      )}
    </ComposedChart>
  )
}

/** Wide enough for the largest count. Recharts can find it out by itself, and draws everything twice for it. */
function axisWidth(days: DayChartData['days'], previous: DayChartData['previous']): number {
  const largest = Math.max(0, ...[...days, ...previous].map(({ count: each }) => each ?? 0))
  return count(largest).length * DIGIT_PX + TICK_GAP_PX
}

function keyOf(place: number): string {
  return `part${place}`
}
