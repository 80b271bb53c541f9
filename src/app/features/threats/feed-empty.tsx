import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { dropFilters, listActiveFilters } from './active-filters.ts'
import type { ChangeSearch } from './change-search.ts'
import type { ThreatSearch } from './threat-search.ts'

type FeedEmptyProps = {
  search: ThreatSearch
  /** Why there may be threats all the same. */
  endsEarly: string | undefined
  onChange: ChangeSearch
}

/** Says which filter to loosen. */
export function FeedEmpty({ search, endsEarly, onChange }: FeedEmptyProps) {
  const filters = listActiveFilters(search, useTimeZone()).filter(({ name }) => name !== 'set')
  if (endsEarly) {
    return (
      <EmptyState icon="alert" title="No threat was found so far">
        {endsEarly}
      </EmptyState>
    )
  }
  if (filters.length === 0) {
    return (
      <EmptyState icon="clock" title="No threats yet">
        The source has no record that this key may see. New ones are announced here as they arrive.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title={filters.length === 1 ? 'No threat fits this filter' : 'No threat fits all of these filters'}
    >
      <p>{filters.length === 1 ? 'Drop it to see the others.' : 'Drop one to widen the list.'}</p>
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        {filters.map(({ name, label, value, without }) => (
          <Button key={`${name} ${value}`} icon="x" className="max-w-72" onClick={() => onChange(without)}>
            <span className="truncate">
              Without {label}: <Untrusted text={value} maxLength={60} clip="silent" />
            </span>
          </Button>
        ))}
        {filters.length > 1 && (
          <Button variant="quiet" onClick={() => onChange(dropFilters(search))}>
            Clear all filters
          </Button>
        )}
      </div>
    </EmptyState>
  )
}
