import { countOf } from '#app/format/count.ts'
import { longDay, shortDay } from '#app/ui/chart/day-name.ts'
import { DayTable } from '#app/ui/chart/day-table.tsx'
import type { Backtest } from '#contract/bff/alert.ts'
import type { TrendDay } from '#contract/bff/trend.ts'

const HEIGHT = 72
const HEADROOM = 4
const STEP = 16
const BAR = 11
const WEEK_DAYS = 7

/**
 * Matches per day of the reader's zone: drawn, and as the same numbers in a table. Unknown days are no zeros.
 * Plain shapes, not the chart of the other pages: it is drawn anew with every keyword, and must not wait for a library.
 */
export function BacktestDays({ backtest: { days, noiseLimitPerWeek } }: { backtest: Backtest }) {
  const most = Math.max(0, ...days.map((day) => day.count ?? 0))
  const scale = (HEIGHT - HEADROOM) / Math.max(1, most)
  const noiseLimit = HEIGHT - (noiseLimitPerWeek / WEEK_DAYS) * scale
  const width = days.length * STEP
  return (
    <figure className="grid gap-1.5">
      <figcaption className="flex flex-wrap items-center gap-x-4 gap-y-1 text-faint text-xs">
        <span className="font-medium text-muted">Matches per day</span>
        {days.some(({ coverage }) => coverage === 'partial') && (
          <Key className="size-2.5 bg-accent/45">incomplete day</Key>
        )}
        {days.some(({ count }) => count === null) && <Key className="size-2.5 bg-pressed">Not stored</Key>}
        {noiseLimit > 0 && <Key className="h-0.5 w-2.5 bg-medium">noise limit</Key>}
        {most > 0 && <span className="ml-auto tabular-nums">most: {countOf(most, 'match', 'matches')}</span>}
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT + 1}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="h-20 w-full"
      >
        {days.map((day, index) => (
          <DayBar key={day.date} day={day} x={index * STEP} scale={scale} />
        ))}
        {noiseLimit > 0 && (
          <path d={`M0 ${noiseLimit}H${width}`} strokeDasharray="4 3" className="stroke-medium" />
        )}
        <path d={`M0 ${HEIGHT + 0.5}H${width}`} className="stroke-edge" />
      </svg>
      <div aria-hidden="true" className="flex justify-between text-2xs text-faint tabular-nums">
        <span>{shortDay(days.at(0)?.date ?? '')}</span>
        <span>{shortDay(days.at(-1)?.date ?? '')}</span>
      </div>
      <details className="text-sm">
        <summary className="w-fit rounded-sm text-muted text-xs hover:text-ink">
          The same numbers as a table
        </summary>
        <div className="mt-2 h-56 w-72 max-w-full">
          <DayTable
            data={{ unit: 'day', rows: 'claims', days, previous: [], previousName: '', series: [] }}
            caption="Matches per day"
          />
        </div>
      </details>
    </figure>
  )
}

function Key({ className, children }: { className: string; children: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden="true" className={`rounded-sm forced-color-adjust-none ${className}`} />
      {children}
    </span>
  )
}

type DayBarProps = { day: TrendDay; x: number; scale: number }

function DayBar({ day: { date, count, coverage }, x, scale }: DayBarProps) {
  const height = count === null ? HEIGHT : count === 0 ? 0 : Math.max(2, count * scale)
  const fill = count === null ? 'fill-pressed' : coverage === 'partial' ? 'fill-accent/45' : 'fill-accent'
  const margin = count === null ? 0 : (STEP - BAR) / 2
  return (
    <>
      <rect x={x + margin} width={STEP - 2 * margin} y={HEIGHT - height} height={height} className={fill} />
      <rect x={x} width={STEP} y={0} height={HEIGHT} className="fill-transparent hover:fill-ink/5">
        <title>{`${longDay(date)}: ${count === null ? 'Not stored' : countOf(count, 'match', 'matches')}`}</title>
      </rect>
    </>
  )
}
