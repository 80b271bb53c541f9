import { type ListOrder, orderOf, SORTS, type Sort } from '#contract/bff/arrangement.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { RowLayout } from './row-grid.ts'
import type { Selection } from './selection.ts'

type SelectLoadedProps = {
  threats: readonly Threat[]
  selection: Selection
}

type ThreatTableHeadProps = SelectLoadedProps & {
  layout: RowLayout
  order: ListOrder
  onSort(sort: Sort): void
}

/** Names the columns where each fact has one of its own, and sorts by them; there it stays in sight below the status line. */
export function ThreatTableHead({ layout, order, onSort, ...select }: ThreatTableHeadProps) {
  const direction = orderOf(order) === 'asc' ? 'ascending' : 'descending'
  return (
    <thead className="@5xl:sticky relative @5xl:top-[5.75rem] z-5 block bg-surface">
      <tr
        aria-rowindex={1}
        className={`${layout.grid} h-8 max-sm:h-11 items-center border-line border-b text-left text-faint text-xs *:font-medium`}
      >
        <th scope="col" className="@max-5xl:[grid-area:1/1/-1/-1] @5xl:[grid-area:check]">
          <SelectLoaded {...select} />
        </th>
        {layout.cells.map(({ name, label, area }) => {
          const sort = SORTS.find((each) => each === name)
          const sorted = sort && sort === (order.sort ?? 'published') ? direction : undefined
          return (
            <th key={name} scope="col" aria-sort={sorted} className={`@max-5xl:sr-only ${area}`}>
              {sort && (
                <button
                  type="button"
                  className={`@max-5xl:hidden h-8 rounded-sm hover:text-ink ${sorted ? 'text-ink' : ''}`}
                  onClick={() => onSort(sort)}
                >
                  {label}
                  {sorted && <span aria-hidden="true">{direction === 'ascending' ? ' ↑' : ' ↓'}</span>}
                </button>
              )}
              <span className={sort && '@5xl:hidden'}>{label}</span>
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

/** Ticks every loaded row at once, or as many as fit. In words where the columns have no heads. */
function SelectLoaded({ threats, selection: { ids, toggleLoaded } }: SelectLoadedProps) {
  const isSelected = ({ id }: Threat) => ids.has(id)
  const isAny = ids.size > 0 && threats.some(isSelected)
  const isAll = isAny && threats.every(isSelected)
  return (
    <label className="flex h-8 items-center max-sm:h-11">
      <input
        type="checkbox"
        className="mx-2.5"
        checked={isAll}
        ref={(input) => {
          if (input) input.indeterminate = isAny && !isAll
        }}
        onChange={toggleLoaded}
      />
      <span className="@5xl:sr-only">Select all on this page</span>
    </label>
  )
}
