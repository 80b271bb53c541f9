import type { ReactNode } from 'react'
import { count } from '#app/format/count.ts'
import { Change } from './change.tsx'
import type { Compared } from './compare-counts.ts'

export type BarListRow = {
  key: string
  label: ReactNode
  /** Null where none was reported. */
  count: number | null
  /** With the time before, null where unknown; left out where nothing is compared. */
  compared?: Compared | null
}

type BarListProps<Row extends BarListRow> = {
  /** Name of the counted thing, for screen readers. */
  label: string
  /** In their order. */
  rows: readonly Row[]
  /** Draws a row's label as a link: give it `BAR_LINK`, so that all of the row can be pressed. */
  renderLink?(row: Row): ReactNode
}

/** A link that covers its row. */
export const BAR_LINK =
  'min-w-0 truncate outline-none after:absolute after:inset-0 after:rounded-sm hover:underline focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2'

/** Values by rank, each with a bar as long as its count. */
export function BarList<Row extends BarListRow>({ label, rows, renderLink }: BarListProps<Row>) {
  const most = Math.max(1, ...rows.map((row) => row.count ?? 0))
  const isCompared = rows.some(({ compared }) => compared !== undefined && compared !== null)
  return (
    <div className="@container">
      <ol
        aria-label={label}
        className="grid gap-0.5 px-2 py-2 text-sm print:@md:grid-cols-2 print:@md:gap-x-4"
      >
        {rows.map((row) => (
          <li
            key={row.key}
            className={`relative isolate grid min-h-8 print:min-h-5 items-center gap-x-3 rounded-sm px-2 hover:bg-hover max-sm:min-h-11 ${isCompared ? 'grid-cols-[minmax(0,1fr)_auto_4.5rem]' : 'grid-cols-[minmax(0,1fr)_auto]'}`}
          >
            <span
              aria-hidden="true"
              className="absolute inset-y-0.5 left-0 -z-1 rounded-sm bg-accent/14 forced-colors:border-b-3"
              style={{ width: `${((row.count ?? 0) / most) * 100}%` }}
            />
            <span className="flex min-w-0 items-center truncate">
              {renderLink ? renderLink(row) : row.label}
            </span>
            <span className="text-right font-medium tabular-nums">{count(row.count)}</span>
            {isCompared && (
              <span className="text-right">
                {row.compared !== undefined && <Change compared={row.compared} />}
              </span>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}
