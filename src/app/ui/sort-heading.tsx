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
  const to = link && { ...link, resetScroll: false }
  const follow = useFollow(to)
  return (
    <th scope="col" aria-sort={direction} className={`font-medium ${className}`}>
      {to ? (
        <Link
          {...to}
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
