import { type Ref, useId, useState } from 'react'
import { countryName } from '#app/format/country-name.ts'
import { visibleLine } from '#app/format/visible-text.ts'
import { Button } from '#app/ui/button.tsx'
import { filterRefusal } from '#contract/bff/feed-plan.ts'
import type { Source } from '#contract/bff/source.ts'
import type { ThreatFilterName } from '#contract/bff/threat-list.ts'
import { KNOWN_CATEGORIES } from '#contract/category.ts'
import { COUNTRY_CODES } from '#contract/country.ts'
import { SEVERITIES } from '#contract/severity.ts'
import { FILTER_LABELS, listActiveFilters } from './active-filters.ts'
import type { ChangeSearch } from './change-search.ts'
import { ChoiceField } from './choice-field.tsx'
import { DraftDateField, DraftTextField } from './draft-field.tsx'
import { permittedSets } from './permitted-sets.ts'
import { Refusals } from './refusals.tsx'
import { filterOf, type ThreatSearch } from './threat-search.ts'

type FeedFiltersProps = {
  search: ThreatSearch
  source: Source | undefined
  searchRef: Ref<HTMLInputElement>
  onChange: ChangeSearch
}

const COUNTRIES = COUNTRY_CODES.map((code) => ({ value: code, label: countryName(code) })).sort((a, b) =>
  a.label.localeCompare(b.label, 'en'),
)
const LEVELS = SEVERITIES.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }))

export function FeedFilters({ search, source, searchRef, onChange }: FeedFiltersProps) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const refusals = refusalsOf(search, source)
  const categories = [...new Set([...KNOWN_CATEGORIES, ...(source?.categories ?? [])])]
  const used = listActiveFilters(search).filter(({ name }) => name !== 'q').length

  const control = (name: ThreatFilterName) => ({
    label: FILTER_LABELS[name],
    disabled: refusals.has(name),
    'aria-describedby': refusals.has(name) ? `${id}-${name}` : undefined,
  })
  const day = (name: 'from' | 'to') => ({
    ...control(name),
    value: search[name] ?? '',
    onCommit: (value: string) => onChange({ [name]: value || undefined }),
  })
  const choice = (name: 'category' | 'country' | 'severity') => ({
    ...control(name),
    values: search[name] ?? [],
    onChoose: (value: string) => onChange({ [name]: value ? [value] : undefined }),
  })
  const text = (name: 'actor' | 'industry') => ({
    ...control(name),
    value: search[name]?.at(0) ?? '',
    onCommit: (value: string) => onChange({ [name]: value ? [value] : undefined }),
  })

  return (
    <search className="@container grid gap-2" aria-label="Threats">
      <div className="grid @5xl:grid-cols-[minmax(12rem,2.4fr)_repeat(7,minmax(0,1fr))] @2xl:grid-cols-4 grid-cols-2 gap-x-2 gap-y-2.5">
        <DraftTextField
          {...control('q')}
          ref={searchRef}
          type="search"
          icon="search"
          placeholder="Words in titles and texts"
          maxLength={512}
          className="@2xl:col-span-1 col-span-2"
          value={search.q ?? ''}
          onCommit={(value) => onChange({ q: value || undefined }, { replace: true })}
        />
        <Button
          icon="filter"
          aria-expanded={isOpen}
          aria-controls={`${id}-more`}
          className="@2xl:hidden col-span-2"
          onClick={() => setIsOpen(!isOpen)}
        >
          {used > 0 ? `Filters · ${used}` : 'Filters'}
        </Button>
        <div id={`${id}-more`} className={`@2xl:contents ${isOpen ? 'contents' : 'hidden'}`}>
          <ChoiceField
            {...choice('category')}
            options={categories.map((value) => ({ value, label: visibleLine(value) }))}
          />
          <ChoiceField {...choice('country')} options={COUNTRIES} />
          <DraftDateField {...day('from')} max={search.to} />
          <DraftDateField {...day('to')} min={search.from} />
          <ChoiceField {...choice('severity')} options={LEVELS} />
          <DraftTextField {...text('actor')} />
          <DraftTextField {...text('industry')} />
        </div>
      </div>
      <div className={isOpen || refusals.has('q') ? undefined : '@max-2xl:hidden'}>
        <Refusals id={id} refusals={refusals} />
      </div>
    </search>
  )
}

function refusalsOf(search: ThreatSearch, source: Source | undefined): Map<ThreatFilterName, string> {
  const names = ['q', 'category', 'country', 'from', 'to', 'severity', 'actor', 'industry'] as const
  const permitted = permittedSets(source)
  return new Map(
    names.flatMap((name) => {
      const reason = filterRefusal(name, filterOf(search), permitted)
      return reason ? [[name, reason]] : []
    }),
  )
}
