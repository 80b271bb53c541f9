import type { ReactNode, Ref } from 'react'
import { count } from '#app/format/count.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { type ChartDay, type Counted, type DayChartData, hasPrevious, stackSeries } from './chart-days.ts'
import { longDay } from './day-name.ts'

type DayTableProps = {
  ref?: Ref<HTMLElement>
  data: DayChartData
  caption: string
  /** Draws a figure as a link to what it counts. */
  renderLink?(counted: Counted, figure: ReactNode): ReactNode
}

const NAME_MAX_LENGTH = 60
const IN_PART = <span className="text-medium"> in part</span>

/** The numbers of the chart, the newest day first. */
export function DayTable({ ref, data, caption, renderLink }: DayTableProps) {
  const { days, previous, series } = data
  const isCompared = hasPrevious(data)
  const parts = series.length > 0 ? stackSeries(data) : []
  return (
    <section
      ref={ref}
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="h-full overflow-auto focus-visible:outline-offset-0"
    >
      <table className="w-full text-right text-xs tabular-nums [&_td]:h-7 [&_td]:px-3 [&_th]:h-7 [&_th]:px-3 [&_th]:font-medium [&_th_a]:text-accent">
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
                  {link(day, longDay(day.date))}
                  {day.coverage === 'partial' && IN_PART}
                </th>
                <td>{figure(day.count, day)}</td>
                {parts.map(({ color, counts, value }) => (
                  <td key={color}>
                    {figure(counts[at] ?? null, value === undefined ? undefined : day, value)}
                  </td>
                ))}
                {isCompared && <td>{previousFigure(previous[at])}</td>}
              </tr>
            ))
            .toReversed()}
        </tbody>
      </table>
    </section>
  )

  function link({ from, to }: ChartDay, figure: ReactNode, value?: string): ReactNode {
    return renderLink ? renderLink({ from, to, value }, figure) : figure
  }

  /** Of a day, unless no question counts the same. */
  function figure(counted: number | null, day: ChartDay | undefined, value?: string): ReactNode {
    if (counted === null) return <span className="text-faint">not known</span>
    return day && counted > 0 ? link(day, count(counted), value) : count(counted)
  }

  function previousFigure(before: ChartDay | undefined): ReactNode {
    if (before?.coverage !== 'partial') return figure(before?.count ?? null, before)
    // What is not held of it, the feed would ask the source for.
    return (
      <>
        {figure(before.count, undefined)}
        {IN_PART}
      </>
    )
  }
}
