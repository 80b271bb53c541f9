import { Link, type NavigateOptions } from '@tanstack/react-router'
import { type ComponentProps, type CSSProperties, type ReactNode, useState } from 'react'
import { useFollow } from './use-follow.ts'
import { useWindowRows } from './use-window-rows.ts'

export type Column<Row, Sort extends string = never> = {
  key: string
  head: ReactNode
  /** Shown to a pointer that rests on the head. */
  hint?: string
  cell(row: Row, index: number): ReactNode
  /** Names its row. */
  isName?: boolean
  align?: 'right'
  /** The initial sort column and direction. */
  sort?: { by: Sort; first: 'ascending' | 'descending' }
  /** Classes of the head and cells: position, width, and the width below which they are hidden. */
  className?: string
  cellClassName?: string
}

export type Sorting<Sort extends string> = {
  by: Sort
  isReverse: boolean
  /** Leads to the table sorted by this, or by it the other way round if it is already. */
  linkTo(by: Sort): NavigateOptions
}

export type DataTableProps<Row, Sort extends string> = {
  caption: ReactNode
  columns: readonly Column<Row, Sort>[]
  rows: readonly Row[]
  rowKey(row: Row, index: number): string | number
  sorting?: Sorting<Sort>
  /** The columns of each row, where its cells change places with the width there is. */
  grid?: string
  /** For long lists: draws only the rows in sight, each so high, below what covers the top of the viewport. */
  windowed?: { rowRem: number; coveredPx: number }
  className?: string
  /** Classes of a row. */
  rowLook?(row: Row): string
}

/** A table described as data: its columns, and how each draws a row. */
export function DataTable<Row, Sort extends string = never>(props: DataTableProps<Row, Sort>) {
  const { caption, columns, rows, sorting, grid, windowed, className = '' } = props
  return (
    <table
      className={`${grid === undefined ? '' : 'block'} ${className}`}
      aria-rowcount={windowed && rows.length + 1}
    >
      <caption className="sr-only">{caption}</caption>
      <thead className={`border-line border-b text-faint text-xs ${grid === undefined ? '' : 'block'}`}>
        <tr className={grid}>
          {columns.map((column) => (
            <Head key={column.key} column={column} sorting={sorting} />
          ))}
        </tr>
      </thead>
      {windowed ? <WindowedBody table={props} windowed={windowed} /> : <Body {...props} />}
    </table>
  )
}

type HeadProps<Row, Sort extends string> = {
  column: Column<Row, Sort>
  sorting: Sorting<Sort> | undefined
}

function Head<Row, Sort extends string>({
  column: { head, hint, align, sort, className },
  sorting,
}: HeadProps<Row, Sort>) {
  const isSorted = sort !== undefined && sort.by === sorting?.by
  const isAscending = (sort?.first === 'ascending') !== sorting?.isReverse
  const direction = isSorted ? (isAscending ? 'ascending' : 'descending') : undefined
  return (
    <th
      scope="col"
      aria-sort={direction}
      title={hint}
      className={`font-medium ${align === 'right' ? 'text-right' : 'text-left'} ${className ?? ''}`}
    >
      {sort && sorting ? (
        <SortLink to={sorting.linkTo(sort.by)} direction={direction}>
          {head}
        </SortLink>
      ) : (
        head
      )}
    </th>
  )
}

type SortLinkProps = {
  to: NavigateOptions
  direction: 'ascending' | 'descending' | undefined
  children: ReactNode
}

function SortLink({ to, direction, children }: SortLinkProps) {
  const link = { ...to, resetScroll: false }
  const follow = useFollow(link)
  return (
    <Link
      {...link}
      onClick={follow}
      className={`inline-flex min-h-6 max-sm:min-h-11 items-center gap-1 rounded-sm hover:text-ink ${direction ? 'text-ink' : ''}`}
    >
      {children}
      <span aria-hidden="true" className="w-2 text-[0.7em]">
        {direction && (direction === 'ascending' ? '▲' : '▼')}
      </span>
    </Link>
  )
}

function Body<Row, Sort extends string>(table: DataTableProps<Row, Sort>) {
  const { rows, grid, rowKey } = table
  return (
    <tbody className={`divide-y divide-line ${grid === undefined ? '' : 'block'}`}>
      {rows.map((row, index) => (
        <DataRow key={rowKey(row, index)} table={table} row={row} index={index} />
      ))}
    </tbody>
  )
}

type WindowedBodyProps<Row, Sort extends string> = {
  table: DataTableProps<Row, Sort>
  windowed: NonNullable<DataTableProps<Row, Sort>['windowed']>
}

/** At the page's own scrolling. */
function WindowedBody<Row, Sort extends string>({ table, windowed }: WindowedBodyProps<Row, Sort>) {
  const { rows, rowKey } = table
  const [focused, setFocused] = useState(-1)
  const inSight = useWindowRows({ count: rows.length, ...windowed, pinned: focused })
  const placeOf = (index: number): CSSProperties | undefined => {
    const top = inSight.topOf(index)
    return top === null ? undefined : { position: 'absolute', insetInline: 0, top }
  }
  return (
    <tbody ref={inSight.body} className="relative block *:border-line *:border-b" style={inSight.bodyStyle}>
      {inSight.drawn.map((index) => {
        const row = rows[index]
        return (
          row !== undefined && (
            <DataRow
              key={rowKey(row, index)}
              table={table}
              row={row}
              index={index}
              // Counted from 1, the heads being 1.
              aria-rowindex={index + 2}
              style={placeOf(index)}
              onFocus={() => setFocused(index)}
            />
          )
        )
      })}
    </tbody>
  )
}

type DataRowProps<Row, Sort extends string> = Omit<ComponentProps<'tr'>, 'children' | 'className'> & {
  table: DataTableProps<Row, Sort>
  row: Row
  index: number
}

function DataRow<Row, Sort extends string>({ table, row, index, ...rest }: DataRowProps<Row, Sort>) {
  const { columns, grid = '', rowLook } = table
  return (
    <tr className={`${grid} ${rowLook?.(row) ?? ''}`} {...rest}>
      {columns.map(({ key, cell, isName, align, className = '', cellClassName = '' }) => {
        const Cell = isName ? 'th' : 'td'
        return (
          <Cell
            key={key}
            scope={isName ? 'row' : undefined}
            className={`${align === 'right' ? 'text-right' : 'text-left'} ${className} ${cellClassName}`}
          >
            {cell(row, index)}
          </Cell>
        )
      })}
    </tr>
  )
}
