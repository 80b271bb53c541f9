import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { dropFilters, listActiveFilters } from './active-filters.ts'
import type { ChangeSearch } from './change-search.ts'
import type { ThreatSearch } from './threat-search.ts'

type FilterChipsProps = { search: ThreatSearch; onChange: ChangeSearch }

/** The filters in use, each with its way out. */
export function FilterChips({ search, onChange }: FilterChipsProps) {
  const filters = listActiveFilters(search, useTimeZone())
  if (filters.length === 0) return null
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      {/* One line, however many: the list below must not move. */}
      <ul
        aria-label="Filters in use"
        className="flex min-w-0 @max-2xl:flex-wrap items-center gap-1.5 @2xl:overflow-x-auto [scrollbar-width:none]"
      >
        {filters.map(({ name, label, value, without }) => (
          <li key={`${name} ${value}`} className="min-w-0 @2xl:shrink-0">
            <button
              type="button"
              className="group flex h-6 max-w-72 items-center gap-1 rounded-full border border-line bg-surface pr-1.5 pl-2.5 text-xs hover:border-edge hover:bg-hover focus-visible:-outline-offset-2"
              onClick={() => onChange(without)}
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
      <Button variant="quiet" size="small" className="h-6!" onClick={() => onChange(dropFilters(search))}>
        Clear all
      </Button>
    </div>
  )
}
