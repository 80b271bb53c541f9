import { count, countOf } from '#app/format/count.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { ChartSeries, DayChartData } from './chart-days.ts'
import { intervalName } from './day-name.ts'
import { PreviousSwatch, Swatch } from './swatch.tsx'

type DayTooltipProps = { date: string; data: DayChartData; stack: readonly ChartSeries[] }

const COVERAGES = { whole: null, partial: 'incomplete day', unknown: 'Not stored' } as const

/** The numbers of one bar; read out as the arrow keys move. */
export function DayTooltip({
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
