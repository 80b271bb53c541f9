import type { ReactNode, Ref } from 'react'
import { count } from '#app/format/count.ts'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { type ChartDay, type Counted, type DayChartData, hasPrevious, stackSeries } from './chart-days.ts'
import { intervalName } from './day-name.ts'

type DayTableProps = {
  ref?: Ref<HTMLElement>
  data: DayChartData
  caption: string
  /** Draws a figure as a link to what it counts. */
  renderLink?(counted: Counted, figure: ReactNode): ReactNode
}

/** A day, and its index in the series. */
type CountedDay = { day: ChartDay; at: number }

const NAME_MAX_LENGTH = 60
const HEADS = { day: 'Day', week: 'Week', month: 'Month' } as const
const ALL = { cases: 'All cases', claims: 'All claims' } as const
const IN_PART = <span className="text-medium"> in part</span>

/** The numbers of the chart, the newest first. Its links lead to claims: they are as many as the table says of a day. */
export function DayTable({ ref, data, caption, renderLink }: DayTableProps) {
  const { days, previous, series, unit, rows, previousName } = data
  const parts = series.length > 0 ? stackSeries(data) : []
  const columns: Column<CountedDay>[] = [
    {
      key: 'day',
      head: HEADS[unit],
      isName: true,
      cellClassName: 'whitespace-nowrap',
      cell: ({ day }) => (
        <>
          {link({ ...day, rows: 'claims' }, intervalName(day, unit))}
          {day.coverage === 'partial' && IN_PART}
        </>
      ),
    },
    { key: 'all', head: ALL[rows], align: 'right', cell: ({ day }) => figure(day.count, linked(day)) },
    ...parts.map(
      ({ name, color, counts, value }): Column<CountedDay> => ({
        key: color,
        head: <Untrusted text={name} maxLength={NAME_MAX_LENGTH} clip="silent" />,
        align: 'right',
        className: 'max-w-40 truncate',
        cell: ({ day, at }) =>
          figure(counts[at] ?? null, value === undefined ? undefined : linked(day), value),
      }),
    ),
  ]
  if (rows === 'cases') {
    columns.push({
      key: 'claims',
      head: ALL.claims,
      align: 'right',
      cell: ({ day }) => figure(day.claims ?? null, day),
    })
  }
  if (hasPrevious(data.previous)) {
    columns.push({
      key: 'previous',
      head: previousName,
      align: 'right',
      cell: ({ at }) => previousFigure(previous[at]),
    })
  }
  return (
    <section
      ref={ref}
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="h-full overflow-auto focus-visible:outline-offset-0"
    >
      <DataTable
        caption={caption}
        columns={columns}
        rows={days.map((day, at) => ({ day, at })).toReversed()}
        rowKey={({ day }) => day.date}
        className="w-full text-xs tabular-nums [&>thead]:sticky [&>thead]:top-0 [&>thead]:bg-surface [&_td]:h-7 [&_td]:px-3 [&_th]:h-7 [&_th]:px-3 [&_th]:font-medium [&_th_a]:text-accent"
      />
    </section>
  )

  function link({ from, to, value, rows }: Counted, figure: ReactNode): ReactNode {
    const counted = { from, to, ...(value !== undefined && { value }), ...(rows && { rows }) }
    return renderLink ? renderLink(counted, figure) : figure
  }

  /** The feed of a day has all its claims: a case that was first claimed before as well. */
  function linked(day: ChartDay | undefined): ChartDay | undefined {
    return rows === 'claims' ? day : undefined
  }

  /** Draws a count: as a link if it is of a day, and a query counts the same. */
  function figure(counted: number | null, day: ChartDay | undefined, value?: string): ReactNode {
    if (counted === null) return <span className="text-faint">Not stored</span>
    return day && counted > 0 ? link({ ...day, value, rows: 'claims' }, count(counted)) : count(counted)
  }

  function previousFigure(before: ChartDay | undefined): ReactNode {
    if (before?.coverage !== 'partial') return figure(before?.count ?? null, linked(before))
    // The feed would ask the vendor for what is not stored of it.
    return (
      <>
        {figure(before.count, undefined)}
        {IN_PART}
      </>
    )
  }
}
