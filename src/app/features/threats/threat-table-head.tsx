import { count } from '#app/format/count.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { ROW_GRID } from './row-grid.ts'
import type { Selection } from './selection.ts'
import { SELECTED_MAX_COUNT } from './threat-search.ts'

const COLUMNS = [
  { label: 'Severity', className: '[grid-area:severity]' },
  { label: 'Threat', className: '[grid-area:title]' },
  { label: 'Actor', className: '[grid-area:actor]' },
  { label: 'Victim', className: '[grid-area:victim]' },
  { label: 'Country', className: '[grid-area:country]' },
  { label: 'Category', className: '[grid-area:category]' },
  { label: 'Published', className: 'text-right [grid-area:when]' },
] as const

type SelectLoadedProps = {
  threats: readonly Threat[]
  selection: Selection
}

/** Names the columns where each fact has one of its own; there it stays in sight below the status line. */
export function ThreatTableHead(props: SelectLoadedProps) {
  return (
    <thead className="@5xl:sticky relative @5xl:top-[5.75rem] z-5 block bg-surface">
      <tr
        aria-rowindex={1}
        className={`${ROW_GRID} h-8 items-center border-line border-b text-left text-faint text-xs *:font-medium`}
      >
        <th scope="col" className="@max-5xl:[grid-area:1/1/-1/-1] @5xl:[grid-area:check]">
          <SelectLoaded {...props} />
        </th>
        {COLUMNS.map(({ label, className }) => (
          <th key={label} scope="col" className={`@max-5xl:sr-only ${className}`}>
            {label}
          </th>
        ))}
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
    <label className="flex h-8 items-center">
      <input
        type="checkbox"
        className="mx-2.5"
        checked={isAll}
        ref={(input) => {
          if (input) input.indeterminate = isAny && !isAll
        }}
        onChange={toggleLoaded}
      />
      <span className="@5xl:sr-only">
        Select the loaded {count(threats.length)} (up to {SELECTED_MAX_COUNT})
      </span>
    </label>
  )
}
