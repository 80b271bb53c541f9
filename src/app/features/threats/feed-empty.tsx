import type { MouseEvent, RefObject } from 'react'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { dropFilters, listActiveFilters } from './active-filters.ts'
import type { ChangeSearch } from './change-search.ts'
import { isByKeyboard } from './is-by-keyboard.ts'
import type { QueryLanguage } from './search/use-query-language.ts'
import type { ThreatSearch } from './threat-search.ts'

type FeedEmptyProps = {
  search: ThreatSearch
  language: QueryLanguage | null
  /** Why there may be threats all the same. */
  endsEarly: string | undefined
  onChange: ChangeSearch
  /** Has the focus when a filter went by keyboard, and its button with it. */
  searchField: RefObject<HTMLInputElement | null>
}

/** Says which filter to loosen. */
export function FeedEmpty({ search, language, endsEarly, onChange, searchField }: FeedEmptyProps) {
  const filters = listActiveFilters(search, useTimeZone(), language).filter(({ name }) => name !== 'set')
  const drop = (event: MouseEvent, change: Partial<ThreatSearch>) => {
    if (isByKeyboard(event)) searchField.current?.focus()
    onChange(change)
  }
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
          <Button
            key={`${name} ${label} ${value}`}
            icon="x"
            className="max-w-[min(24rem,100%)]"
            onClick={(event) => drop(event, without)}
          >
            Without {label}:{' '}
            <span className="min-w-0 truncate">
              <Untrusted text={value} maxLength={60} clip="silent" />
            </span>
          </Button>
        ))}
        {filters.length > 1 && (
          <Button variant="quiet" onClick={(event) => drop(event, dropFilters(search))}>
            Clear all filters
          </Button>
        )}
      </div>
    </EmptyState>
  )
}
