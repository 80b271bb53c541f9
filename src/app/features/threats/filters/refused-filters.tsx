import { Button } from '#app/ui/button.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Problem } from '#contract/bff/problem.ts'
import type { ChangeSearch } from '../address/change-search.ts'
import type { ThreatSearch } from '../address/threat-search.ts'
import { listActiveFilters } from './active-filters.ts'

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
