import { linkOptions } from '@tanstack/react-router'
import { orderAfterPress } from '#app/ui/order-after-press.ts'
import { SortHeading } from '#app/ui/sort-heading.tsx'
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
            <SortHeading
              key={label}
              label={label}
              direction={isSorted ? (isAscending ? 'ascending' : 'descending') : undefined}
              className={`${isRight ? 'text-right' : 'text-left'} ${area}`}
              link={
                sort &&
                linkOptions({
                  to: '/actors',
                  search: (before) => ({
                    ...search,
                    q: before.q,
                    sort: sort === 'mentions' ? undefined : sort,
                    order: orderAfterPress(before, sort, { unlessNamed: 'mentions' }),
                  }),
                })
              }
            />
          )
        })}
      </tr>
    </thead>
  )
}
