import { useQuery } from '@tanstack/react-query'
import { type Ref, useId, useMemo, useState } from 'react'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { countryName } from '#app/format/country-name.ts'
import { visibleLine } from '#app/format/visible-text.ts'
import { Button } from '#app/ui/button.tsx'
import { DraftDateField, DraftTextField } from '#app/ui/draft-field.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { filterRefusal } from '#contract/bff/feed-plan.ts'
import type { Source } from '#contract/bff/source.ts'
import type { ThreatFacets, ThreatFilterName, ThreatList } from '#contract/bff/threat-list.ts'
import { type TriageFilter, triageFilterSchema } from '#contract/bff/triage-filter.ts'
import { KNOWN_CATEGORIES } from '#contract/category.ts'
import { COUNTRY_CODES } from '#contract/country.ts'
import { SEVERITIES } from '#contract/severity.ts'
import { FILTER_LABELS, listActiveFilters } from './active-filters.ts'
import { AddField } from './add-field.tsx'
import type { ChangeSearch } from './change-search.ts'
import { ChoiceField } from './choice-field.tsx'
import { countChoices } from './count-choices.ts'
import { DAY_RANGES } from './day-ranges.ts'
import { FilterChips } from './filter-chips.tsx'
import { Refusals } from './refusals.tsx'
import { filterOf, isCrossed, type ThreatSearch } from './threat-search.ts'
import { TRIAGE_LABELS } from './triage-labels.ts'

type FeedFiltersProps = {
  search: ThreatSearch
  /** The newest answer, which may still be about the search before; undefined before the first. */
  list: ThreatList | undefined
  /** How the shown search was understood. */
  understoodAs: string | null
  searchRef: Ref<HTMLInputElement>
  onChange: ChangeSearch
}

const COUNTRIES = COUNTRY_CODES.map((code) => ({ value: code, label: countryName(code) })).sort((a, b) =>
  a.label.localeCompare(b.label, 'en'),
)
const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const LEVELS = SEVERITIES.map((value) => ({ value, label: capitalise(value) }))

const CONTROLS = [
  'q',
  'category',
  'country',
  'from',
  'to',
  'severity',
  'actor',
  'industry',
  'triage',
] as const
/** The same each time. */
const NONE: never[] = []
type ValuesName = 'category' | 'country' | 'severity' | 'actor' | 'industry'

export function FeedFilters(props: FeedFiltersProps) {
  const { search, list, understoodAs, searchRef, onChange } = props
  const { data: source } = useQuery(sourceOptions())
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const isWindowed = hasWindow(list, source)
  const refusals = refusalsOf(search, source, list)
  const facets = list?.facets
  const areCountsWhole = list?.isTotalExact ?? true
  // Kept while nothing of them changes: what is drawn of them is memoised.
  const categories = useMemo(
    () => countCategories(source?.categories, facets?.category),
    [source?.categories, facets?.category],
  )
  const countries = useMemo(() => countChoices(COUNTRIES, facets?.country, countryName), [facets?.country])
  const severities = useMemo(
    () => countChoices(LEVELS, facets?.severity, (value) => capitalise(visibleLine(value))),
    [facets?.severity],
  )
  const used = listActiveFilters(search, 'UTC').filter(({ name }) => name !== 'q').length

  const refusal = (name: ThreatFilterName) => ({
    ...(refusals.has(name) && { disabled: true, 'aria-describedby': `${id}-${name}` }),
  })
  const control = (name: ThreatFilterName) => ({ label: FILTER_LABELS[name], ...refusal(name) })
  const day = (name: 'from' | 'to') => ({
    ...control(name),
    value: search[name] ?? '',
    onCommit: (value: string) => onChange({ within: undefined, [name]: value || undefined }),
  })
  const addTo = (name: ValuesName) => (value: string) =>
    onChange((before) => ({ [name]: [...new Set([...(isWindowed ? (before[name] ?? []) : []), value])] }))
  const choice = (name: 'category' | 'country' | 'severity') => ({
    ...control(name),
    areCountsWhole,
    values: search[name] ?? NONE,
    onChoose: (value: string) => {
      const chosen = search[name] ?? []
      if (!value) onChange({ [name]: undefined })
      else if (chosen.includes(value)) onChange({ [name]: chosen.filter((other) => other !== value) })
      else addTo(name)(value)
    },
  })
  const text = (name: 'actor' | 'industry') => ({
    ...control(name),
    areCountsWhole,
    placeholder: search[name] ? 'Add another' : 'Any',
    suggestions: facets?.[name] ?? NONE,
    onAdd: addTo(name),
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
          hint={
            understoodAs !== null && (
              <>
                understood as <Untrusted text={understoodAs} maxLength={160} clip="silent" />
              </>
            )
          }
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
          <ChoiceField {...choice('category')} options={categories} />
          <ChoiceField {...choice('country')} options={countries} />
          <DraftDateField {...day('from')} />
          <DraftDateField
            {...day('to')}
            hint={isCrossed(search) && 'Before From: read the other way round'}
          />
          <ChoiceField {...choice('severity')} options={severities} />
          <AddField {...text('actor')} />
          <AddField {...text('industry')} />
        </div>
      </div>
      <div className="flex min-h-6 @2xl:flex-nowrap flex-wrap items-center gap-2">
        <DayRangeButtons search={search} onChange={onChange} />
        <TriageChoice {...refusal('triage')} search={search} onChange={onChange} />
        <FilterChips search={search} onChange={onChange} />
      </div>
      <div className={`empty:hidden ${isOpen || refusals.has('q') ? '' : '@max-2xl:hidden'}`}>
        <Refusals id={id} refusals={refusals} />
      </div>
    </search>
  )
}

/** From the window every filter works, with several values each. */
function hasWindow(list: ThreatList | undefined, source: Source | undefined): boolean {
  return list ? list.answeredBy === 'window' : source !== undefined && source.window.status !== 'empty'
}

/** None before the source is known: most of the time there is a window, and nothing to refuse. */
function refusalsOf(
  search: ThreatSearch,
  source: Source | undefined,
  list: ThreatList | undefined,
): Map<ThreatFilterName, string> {
  if (!source || list?.answeredBy === 'window') return new Map()
  return new Map(
    CONTROLS.flatMap((name) => {
      const reason = filterRefusal(name, filterOf(search), source)
      return reason ? [[name, reason]] : []
    }),
  )
}

function countCategories(seen: readonly string[] | undefined, facet: ThreatFacets['category'] | undefined) {
  const categories = [...new Set([...KNOWN_CATEGORIES, ...(seen ?? [])])]
  return countChoices(
    categories.map((value) => ({ value, label: visibleLine(value) })),
    facet,
    visibleLine,
  )
}

type DayRangeButtonsProps = { search: ThreatSearch; onChange: ChangeSearch }

/** The usual ranges in one press; a second press lifts them. */
function DayRangeButtons({ search, onChange }: DayRangeButtonsProps) {
  const segments = DAY_RANGES.map(({ within, label }) => {
    const isOn = search.within === within
    const none = { from: undefined, to: undefined, since: undefined, until: undefined }
    return {
      key: within,
      label,
      isOn,
      onPress: () => onChange({ ...none, within: isOn ? undefined : within }),
    }
  })
  return <Segments legend="Published within" segments={segments} />
}

type TriageChoiceProps = {
  search: ThreatSearch
  onChange: ChangeSearch
  disabled?: boolean
  'aria-describedby'?: string
}

const CHOICES = [undefined, ...triageFilterSchema.options]

/** Narrows the list by what the team has done. */
function TriageChoice({ search: { triage }, onChange, ...control }: TriageChoiceProps) {
  const segments = CHOICES.map((choice) => ({
    key: choice ?? '',
    label: labelOf(choice),
    isOn: triage === choice,
    onPress: () => onChange({ triage: choice }),
  }))
  return <Segments {...control} legend={FILTER_LABELS.triage} isLabelled segments={segments} />
}

function labelOf(choice: TriageFilter | undefined): string {
  if (choice === undefined) return 'All'
  return choice === 'open' ? 'Open' : (TRIAGE_LABELS.get(choice) ?? choice)
}
