import { Link, type NavigateOptions } from '@tanstack/react-router'
import { useFollow } from './use-follow.ts'

type SortHeadingProps = {
  label: string
  /** Leads to the table sorted by this column, or by it the other way round; none where it cannot be. */
  link?: NavigateOptions | undefined
  /** None while the table is sorted by another column. */
  direction?: 'ascending' | 'descending' | undefined
  className?: string
}

/** The head of a column. */
export function SortHeading({ label, link, direction, className = '' }: SortHeadingProps) {
  const follow = useFollow(link && { ...link, resetScroll: false })
  return (
    <th scope="col" aria-sort={direction} className={`font-medium ${className}`}>
      {link ? (
        <Link
          {...link}
          resetScroll={false}
          onClick={follow}
          className={`inline-flex min-h-6 items-center gap-1 rounded-sm hover:text-ink ${direction ? 'text-ink' : ''}`}
        >
          {label}
          <span aria-hidden="true" className="w-2 text-[0.7em]">
            {direction && (direction === 'ascending' ? '▲' : '▼')}
          </span>
        </Link>
      ) : (
        label
      )}
    </th>
  )
}

/** What a press on the heading of `column` makes of an address: sorted by it, or the other way round if it is already. */
export function orderAfterPress(
  { sort, order }: { sort?: string | undefined; order?: string | undefined },
  column: string,
  { unlessNamed }: { unlessNamed: string },
): 'reverse' | undefined {
  return (sort ?? unlessNamed) === column && order !== 'reverse' ? 'reverse' : undefined
}
