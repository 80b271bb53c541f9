import type { MouseEvent, RefObject } from 'react'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import type { ThreatList } from '#contract/bff/threat-list.ts'
import type { ChangeSearch } from '../address/change-search.ts'
import type { ThreatSearch } from '../address/threat-search.ts'
import { dropFilters, listActiveFilters } from '../filters/active-filters.ts'
import { EmptyConditions } from '../search/empty-conditions.tsx'
import * as language from '../search/query-language.ts'
import { CoverageNote } from './feed-status.tsx'
import { isByKeyboard } from './is-by-keyboard.ts'

type FeedEmptyProps = {
  search: ThreatSearch
  /** The answer that has no threats. */
  first: ThreatList | undefined
  onChange: ChangeSearch
  /** Has the focus when a filter went by keyboard, and its button with it. */
  searchField: RefObject<HTMLInputElement | null>
}

/** Why a list is empty, and what to change. */
export function FeedEmpty({ search, first, onChange, searchField }: FeedEmptyProps) {
  const filters = listActiveFilters(search, useTimeZone(), language)
  const change = (event: MouseEvent, changed: Partial<ThreatSearch>) => {
    if (isByKeyboard(event)) searchField.current?.focus()
    onChange(changed)
  }
  const coverage = first?.freshness.coverage
  if (coverage?.status === 'none') {
    return (
      <EmptyState icon="clock" title="No threats stored">
        <CoverageNote coverage={coverage} />
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
      <EmptyConditions search={search} filters={filters} onChange={change} />
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
