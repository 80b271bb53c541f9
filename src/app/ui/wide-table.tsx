import { DataTable, type DataTableProps } from './data-table.tsx'

type WideTableProps<Row> = Omit<DataTableProps<Row, never>, 'caption'> & {
  /** Name of the frame, and of the table where that has no caption of its own. */
  label: string
  caption?: string
  frameClassName?: string
}

const SPACED = '[&_td]:px-4 [&_td]:py-2 [&_th]:px-4 [&_th]:py-2 max-sm:[&_td]:px-2 max-sm:[&_th]:px-2'

/** A table that may be wider than the page: it scrolls sideways in its own frame. */
export function WideTable<Row>(props: WideTableProps<Row>) {
  const { label, caption = label, className = SPACED, frameClassName = '', ...table } = props
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard
      tabIndex={0}
      className={`relative overflow-x-auto focus-visible:-outline-offset-2 ${frameClassName}`}
    >
      <DataTable caption={caption} className={`w-full text-sm ${className}`} {...table} />
    </section>
  )
}
