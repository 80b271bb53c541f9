import { Link } from '@tanstack/react-router'
import { ACTOR_GRID } from './actor-grid.ts'
import type { ActorSearch } from './actor-search.ts'

type Column = { label: string; area: string; sort?: ActorSearch['sort'] | 'mentions'; isRight?: boolean }

const COLUMNS: readonly Column[] = [
  { label: 'Actor', area: '[grid-area:name]', sort: 'name' },
  { label: 'Targets', area: '@max-4xl:sr-only [grid-area:targets]' },
  { label: 'Categories', area: '@max-4xl:sr-only [grid-area:category]' },
  { label: 'By day', area: '@max-4xl:sr-only [grid-area:spark]' },
  { label: 'Mentions', area: '[grid-area:mentions]', sort: 'mentions', isRight: true },
  { label: '7 days', area: '[grid-area:week]', sort: 'change', isRight: true },
  { label: 'Latest', area: '[grid-area:latest]', sort: 'latest', isRight: true },
]

/** Each press of a heading sorts by it, and a second one the other way round. */
export function ActorTableHead({ search }: { search: ActorSearch }) {
  const sorted = search.sort ?? 'mentions'
  const isReverse = search.order === 'reverse'
  // Names are told from A, all else from the greatest or newest.
  const isAscending = (sorted === 'name') !== isReverse
  return (
    <thead className="sticky top-12 z-10 block border-line border-b bg-surface">
      <tr className={`${ACTOR_GRID} min-h-9 py-1 text-faint text-xs`}>
        {COLUMNS.map(({ label, area, sort, isRight }) => {
          const isSorted = sort === sorted
          return (
            <th
              key={label}
              scope="col"
              aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : undefined}
              className={`font-medium ${isRight ? 'text-right' : 'text-left'} ${area}`}
            >
              {sort ? (
                <Link
                  to="/actors"
                  search={{
                    ...search,
                    sort: sort === 'mentions' ? undefined : sort,
                    order: isSorted && !isReverse ? 'reverse' : undefined,
                  }}
                  resetScroll={false}
                  className={`inline-flex min-h-6 items-center gap-1 rounded-sm hover:text-ink ${isSorted ? 'text-ink' : ''}`}
                >
                  {label}
                  <span aria-hidden="true" className="w-2 text-[0.7em]">
                    {isSorted && (isAscending ? '▲' : '▼')}
                  </span>
                </Link>
              ) : (
                label
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}
