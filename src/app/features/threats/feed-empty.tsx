import type { MouseEvent, RefObject } from 'react'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import type { ThreatList } from '#contract/bff/threat-list.ts'
import { dropFilters, listActiveFilters } from './active-filters.ts'
import type { ChangeSearch } from './change-search.ts'
import { EmptyConditions } from './empty-conditions.tsx'
import { isByKeyboard } from './is-by-keyboard.ts'
import * as language from './search/query-language.ts'
import type { ThreatSearch } from './threat-search.ts'

type FeedEmptyProps = {
  search: ThreatSearch
  /** The answer that has no threats. */
  first: ThreatList | undefined
  /** Why there may be threats all the same. */
  endsEarly: string | undefined
  onChange: ChangeSearch
  /** Has the focus when a filter went by keyboard, and its button with it. */
  searchField: RefObject<HTMLInputElement | null>
}

/** Why a list is empty, and what to change. */
export function FeedEmpty({ search, first, endsEarly, onChange, searchField }: FeedEmptyProps) {
  const filters = listActiveFilters(search, useTimeZone(), language).filter(({ name }) => name !== 'set')
  const change = (event: MouseEvent, changed: Partial<ThreatSearch>) => {
    if (isByKeyboard(event)) searchField.current?.focus()
    onChange(changed)
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
    <EmptyState title="No threats match">
      <EmptyConditions
        {...{ search, filters }}
        // Only stored threats can be counted for each condition.
        isStored={first?.answeredBy === 'window'}
        onChange={change}
      />
      {filters.length > 1 && (
        <Button
          variant="quiet"
          className="mt-3 max-sm:h-11"
          onClick={(event) => change(event, dropFilters(search))}
        >
          Clear all filters
        </Button>
      )}
    </EmptyState>
  )
}
