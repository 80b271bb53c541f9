import { count } from '#app/format/count.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { SELECTED_MAX_COUNT } from './threat-search.ts'

type SelectLoadedProps = {
  threats: readonly Threat[]
  selected: ReadonlySet<string>
  onToggle(): void
}

/** Ticks every loaded row at once, or as many as fit. In words where the columns have no heads. */
export function SelectLoaded({ threats, selected, onToggle }: SelectLoadedProps) {
  const isSelected = ({ id }: Threat) => selected.has(id)
  const isAny = selected.size > 0 && threats.some(isSelected)
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
        onChange={onToggle}
      />
      <span className="@5xl:sr-only">
        Select the loaded {count(threats.length)} (up to {SELECTED_MAX_COUNT})
      </span>
    </label>
  )
}
