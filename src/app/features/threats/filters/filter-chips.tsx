import type { MouseEvent, RefObject } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { Problem } from '#contract/bff/problem.ts'
import type { ChangeSearch, ThreatSearch } from '../address/threat-search.ts'
import type { QueryLanguage } from '../search/use-query-language.ts'
import { dropFilters, listActiveFilters } from './active-filters.ts'

type FilterChipsProps = {
  search: ThreatSearch
  language: QueryLanguage | null
  onChange: ChangeSearch
  /** Has the focus when the last of them went, by keyboard. */
  searchField: RefObject<HTMLInputElement | null>
}

/** The filters in use, each with its way out. */
export function FilterChips({ search, language, onChange, searchField }: FilterChipsProps) {
  const filters = listActiveFilters(search, useTimeZone(), language)
  const handOn = (event: MouseEvent) => {
    const item = event.currentTarget.closest('li')
    const neighbour = item?.nextElementSibling ?? item?.previousElementSibling
    if (neighbour) neighbour.querySelector('button')?.focus()
    else if (isByKeyboard(event)) searchField.current?.focus()
  }
  return (
    // A few lines, however many there are, and a single one on a phone: the list below is what a reader came for.
    <div className="relative flex @2xl:max-h-22 min-w-0 max-w-full @2xl:flex-wrap items-center gap-1.5 overflow-auto">
      <ul aria-label="Filters in use" className="contents">
        {filters.map(({ name, label, value, without }) => (
          <li key={`${name} ${label} ${value}`} className="min-w-0 max-w-[min(18rem,100%)] @max-2xl:shrink-0">
            <button
              type="button"
              className="group flex h-6 max-w-full items-center gap-1 rounded-full border border-line bg-surface pr-1.5 pl-2.5 text-xs hover:border-edge hover:bg-hover focus-visible:-outline-offset-2"
              onClick={(event) => {
                handOn(event)
                onChange(without)
              }}
            >
              <VisuallyHidden>Remove</VisuallyHidden> <span className="text-muted">{label}:</span>{' '}
              <span className="truncate font-medium">
                <Untrusted text={value} maxLength={60} clip="silent" />
              </span>
              <Icon name="x" className="size-3 text-faint group-hover:text-ink" />
            </button>
          </li>
        ))}
      </ul>
      <Button
        variant="quiet"
        size="small"
        className="h-6!"
        onClick={(event) => {
          handOn(event)
          onChange(dropFilters(search))
        }}
      >
        Clear all
      </Button>
    </div>
  )
}

type RefusedFiltersProps = {
  fields: NonNullable<Problem['fields']>
  search: ThreatSearch
  onChange: ChangeSearch
}

/** The filters that stood in the way of an answer, each with its reason and its way out. */
export function RefusedFilters({ fields, search, onChange }: RefusedFiltersProps) {
  const inUse = listActiveFilters(search, useTimeZone())
  // The search field says each fault of a search, at its place.
  if (fields.some(({ from }) => from !== undefined))
    return <p className="text-muted text-sm">Correct the search to see threats.</p>
  const refused = inUse.flatMap((filter) => {
    const field = fields.find(({ name }) => name === filter.name)
    return field ? [{ ...filter, reason: field.reason }] : []
  })
  return (
    <ul className="grid max-w-2xl gap-2">
      {refused.map(({ name, label, value, reason, without }) => (
        <li key={`${name} ${value}`} className="flex flex-wrap items-center justify-between gap-2 text-sm">
          <span className="min-w-0">
            <span className="font-medium">
              {label}: <Untrusted text={value} maxLength={60} />
            </span>{' '}
            <span className="text-muted">{reason}</span>
          </span>
          <Button size="small" icon="x" onClick={() => onChange(without)}>
            Remove {label}
          </Button>
        </li>
      ))}
    </ul>
  )
}

/**
 * Returns true if a button was pressed by a key. Otherwise a focus that moves to a text field opens a touch screen's
 * keyboard.
 */
export function isByKeyboard({ detail }: MouseEvent): boolean {
  return detail === 0
}
