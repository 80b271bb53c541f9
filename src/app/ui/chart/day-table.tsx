import type { ReactNode } from 'react'
import { count } from '#app/format/count.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { type DayChartData, hasPrevious, stackSeries } from './chart-days.ts'
import { longDay } from './day-name.ts'

type DayTableProps = {
  data: DayChartData
  caption: string
  /** Draws the name of a day, such as a link to what it counts. */
  renderDay?(date: string, name: string): ReactNode
}

const NAME_MAX_LENGTH = 60
const IN_PART = <span className="text-medium"> in part</span>

/** The numbers of the chart, the newest day first. */
export function DayTable({ data, caption, renderDay }: DayTableProps) {
  const { days, previous, series } = data
  const isCompared = hasPrevious(data)
  const parts = series.length > 0 ? stackSeries(data) : []
  return (
    <section
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="h-full overflow-auto focus-visible:-outline-offset-2"
    >
      <table className="w-full text-right text-xs tabular-nums [&_td]:h-7 [&_td]:px-3 [&_th]:h-7 [&_th]:px-3 [&_th]:font-medium">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-surface text-faint">
          <tr>
            <th scope="col" className="text-left">
              Day
            </th>
            <th scope="col">All</th>
            {parts.map(({ name, color }) => (
              <th key={color} scope="col" className="max-w-40 truncate">
                <Untrusted text={name} maxLength={NAME_MAX_LENGTH} clip="silent" />
              </th>
            ))}
            {isCompared && <th scope="col">30 days before</th>}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {days
            .map((day, at) => (
              <tr key={day.date}>
                <th scope="row" className="whitespace-nowrap text-left">
                  {renderDay ? renderDay(day.date, longDay(day.date)) : longDay(day.date)}
                  {day.coverage === 'partial' && IN_PART}
                </th>
                <Count value={day.count} />
                {parts.map(({ color, counts }) => (
                  <Count key={color} value={counts[at] ?? null} />
                ))}
                {isCompared && (
                  <Count
                    value={previous[at]?.count ?? null}
                    note={previous[at]?.coverage === 'partial' && IN_PART}
                  />
                )}
              </tr>
            ))
            .toReversed()}
        </tbody>
      </table>
    </section>
  )
}

function Count({ value, note }: { value: number | null; note?: ReactNode }) {
  return (
    <td>
      {value === null ? <span className="text-faint">not known</span> : count(value)}
      {note}
    </td>
  )
}
