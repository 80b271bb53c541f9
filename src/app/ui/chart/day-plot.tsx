import { type Ref, useId } from 'react'
import { Bar, ComposedChart, getNiceTickValues, Tooltip, XAxis, YAxis } from 'recharts'
import { count } from '#app/format/count.ts'
import { type ChartSeries, type DayChartData, mostInADay } from './chart-days.ts'
import { DayBars, GridLines, HatchPattern, PreviousEdge, PreviousGround, UnknownDays } from './day-marks.tsx'
import { shortDay } from './day-name.ts'
import { DayTooltip } from './day-tooltip.tsx'

type DayPlotProps = {
  data: DayChartData
  stack: readonly ChartSeries[]
  /** The accessible name. */
  label: string
  ref?: Ref<SVGSVGElement>
}

const TICK = { fill: 'var(--color-faint)', fontSize: 11 }
const TICK_COUNT = 5
/** Of a digit of the ticks' size. */
const DIGIT_PX = 7
const TICK_GAP_PX = 12
const MARGIN = { top: 8, right: 8, bottom: 0, left: 4 }
/** One tick a week. */
const DAYS_BETWEEN = 6

/**
 * Bars by day over the ground of the days before. The mouse and the arrow keys go from day to day. Recharts has the
 * size, the axes and the tooltip; the marks are ours: its own are hundreds of elements, each drawn three times.
 */
export function DayPlot({ data, stack, label, ref }: DayPlotProps) {
  const hatch = useId()
  const { days, previous } = data
  const most = Math.max(1, mostInADay(stack, data))
  const ticks = getNiceTickValues([0, most], TICK_COUNT, false)
  const top = ticks.at(-1) ?? most

  return (
    <ComposedChart
      ref={ref}
      data={days}
      responsive
      accessibilityLayer
      aria-label={label}
      margin={MARGIN}
      className="h-full w-full text-2xs print:h-full! print:w-full!"
    >
      <HatchPattern id={hatch} />
      <GridLines counts={ticks} />
      <XAxis
        dataKey="date"
        scale="band"
        tick={TICK}
        tickFormatter={shortDay}
        tickLine={false}
        axisLine={{ stroke: 'var(--color-edge)' }}
        interval={DAYS_BETWEEN}
        height={22}
      />
      <YAxis
        domain={[0, top]}
        // Else Recharts takes no domain but from items that it draws.
        allowDataOverflow
        ticks={ticks}
        interval={0}
        tick={TICK}
        tickFormatter={count}
        tickLine={false}
        axisLine={false}
        // Recharts can find it out by itself, and draws everything once more for it.
        width={count(top).length * DIGIT_PX + TICK_GAP_PX}
      />
      <UnknownDays days={days} />
      <PreviousGround days={days} previous={previous} hatch={hatch} />
      <Tooltip
        content={({ label: date, active }) =>
          active && typeof date === 'string' ? <DayTooltip date={date} data={data} stack={stack} /> : null
        }
        cursor={{ stroke: 'var(--color-edge)' }}
        includeHidden
        isAnimationActive={false}
      />
      {/* Never seen: Recharts shows a tooltip only over items of its own. */}
      <Bar dataKey={() => 0} hide isAnimationActive={false} />
      <DayBars days={days} stack={stack} hatch={hatch} />
      <PreviousEdge days={days} previous={previous} />
    </ComposedChart>
  )
}
