import { useQuery } from '@tanstack/react-query'
import { lazy, type RefObject, Suspense, useId, useState } from 'react'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { countryName } from '#app/format/country-name.ts'
import { isCrossed } from '#app/format/day-range.ts'
import { Button } from '#app/ui/button.tsx'
import { DraftDateField } from '#app/ui/date-field.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Segments } from '#app/ui/segments.tsx'
import type { FacetName, ThreatList } from '#contract/bff/threat-list.ts'
import { TRIAGE_FILTERS, type TriageFilter } from '#contract/bff/triage-filter.ts'
import { KNOWN_CATEGORIES } from '#contract/category.ts'
import { COUNTRY_CODES } from '#contract/country.ts'
import { SEVERITIES } from '#contract/severity.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { type ChangeSearch, filterOf, scopeOf, type ThreatSearch } from '../address/threat-search.ts'
import { SearchField } from '../search/search-field.tsx'
import { hasSigns, type QueryLanguage } from '../search/use-query-language.ts'
import { DAY_RANGES, FILTER_LABELS, TRIAGE_LABELS } from './active-filters.ts'
import { ValuesField } from './values-field.tsx'

// Not on the way to the first page: fetched when first needed.
const FilterChips = lazy(async () => ({ default: (await import('./filter-chips.tsx')).FilterChips }))
const ValuesList = lazy(async () => ({ default: (await import('./values-list.tsx')).ValuesList }))

type FeedFiltersProps = {
  search: ThreatSearch
  /** The answer to this search; undefined until it is there. */
  shown: ThreatList | undefined
  /** Why there is none. */
  error: Error | null
  language: QueryLanguage | null
  searchField: RefObject<HTMLInputElement | null>
  onChange: ChangeSearch
}

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
/** Facets whose values are shown otherwise than as they are. */
const VALUE_LABELS: Readonly<Partial<Record<FacetName, (value: string) => string>>> = {
  country: countryName,
  severity: (value) => capitalise(visibleLine(value)),
}

export function FeedFilters(props: FeedFiltersProps) {
  const { search, shown, error, language, searchField, onChange } = props
  const { data: source } = useQuery(sourceOptions())
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const timeZone = useTimeZone()
  const { q, ...narrowing } = filterOf(search)
  const scopeWith = (text = q) => scopeOf({ ...narrowing, q: text || undefined }, timeZone)
  const used = Object.values(narrowing).flat().filter(Boolean).length
  const isNarrowed = Boolean(q || used > 0)
  // On narrow pages, filters that are not in use are behind a button.
  const folded = isOpen ? '' : '@max-2xl:hidden'

  const day = (name: 'from' | 'to') => ({
    label: FILTER_LABELS[name],
    value: search[name] ?? '',
    onCommit: (value: string) => onChange({ within: undefined, [name]: value || undefined }),
  })
  const values = (name: FacetName, known: readonly string[], isOpenSet = false) => {
    const inText = language?.valuesIn(search.q ?? '', name)
    const chosen = inText?.plain ?? search[name] ?? []
    const labelOf = VALUE_LABELS[name] ?? visibleLine
    const summed = inText?.written ?? chosen
    // A filter counts what the others find, wherever its values are written.
    const scope = scopeWith(inText ? language?.changeValues(q ?? '', name, () => []) : q)
    return (
      <ValuesField
        label={FILTER_LABELS[name]}
        summary={summed.length > 1 ? `${summed.length} chosen` : summed.map(labelOf).join('')}
        renderList={(open) => (
          <ValuesList
            list={open}
            name={name}
            chosen={chosen}
            known={known}
            isOpenSet={isOpenSet}
            scope={scope}
            labelOf={labelOf}
            onChoose={(change, isFirst) =>
              // One step of Back for all that is ticked while the list is open.
              onChange(
                (before) =>
                  language && inText
                    ? { q: language.changeValues(before.q ?? '', name, change) || undefined }
                    : { [name]: orNone(change(before[name] ?? [])) },
                { replace: !isFirst },
              )
            }
          />
        )}
      />
    )
  }

  return (
    <search className="@container grid grid-cols-[minmax(0,1fr)] gap-2" aria-label="Threats">
      <div
        className={`grid @4xl:grid-cols-7 @2xl:grid-cols-4 gap-x-2 gap-y-2.5 ${isOpen ? 'grid-cols-2' : 'grid-cols-[auto_minmax(0,1fr)]'}`}
      >
        <SearchField
          inputRef={searchField}
          value={search.q ?? ''}
          filter={filterOf(search)}
          list={shown}
          error={error}
          onCommit={(text) => onChange({ q: text || undefined }, { replace: true })}
        />
        <Button
          icon="filter"
          aria-expanded={isOpen}
          aria-controls={`${id}-more ${id}-quick`}
          className={`@2xl:hidden ${isOpen || !isNarrowed ? 'col-span-2' : ''}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          {used > 0 ? `Filters · ${used}` : 'Filters'}
        </Button>
        <div id={`${id}-more`} className={`@2xl:contents ${isOpen ? 'contents' : 'hidden'}`}>
          {values('category', [...KNOWN_CATEGORIES, ...(source?.categories ?? [])])}
          {values('country', COUNTRY_CODES)}
          <DraftDateField {...day('from')} />
          <DraftDateField
            {...day('to')}
            hint={isCrossed(search) && 'Before From: read the other way round'}
          />
          {values('severity', SEVERITIES)}
          {values('actor', [], true)}
          {values('industry', [], true)}
        </div>
        <div
          className={`col-span-full flex min-h-6 flex-wrap items-center gap-2 ${isOpen ? '' : isNarrowed ? '@max-2xl:col-span-1' : '@max-2xl:hidden'}`}
        >
          <div id={`${id}-quick`} className={`contents ${folded}`}>
            <DayRangeButtons search={search} onChange={onChange} />
            <TriageChoice search={search} onChange={onChange} />
            <ConcernChoice search={search} language={language} onChange={onChange} />
          </div>
          {isNarrowed && (
            <Suspense>
              <FilterChips
                search={search}
                language={language}
                onChange={onChange}
                searchField={searchField}
              />
            </Suspense>
          )}
        </div>
      </div>
    </search>
  )
}

function orNone(values: string[]): string[] | undefined {
  return values.length > 0 ? values : undefined
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

type TriageChoiceProps = { search: ThreatSearch; onChange: ChangeSearch }

const CHOICES = [undefined, ...TRIAGE_FILTERS]

/** Narrows the list by what the team has done. */
function TriageChoice({ search: { triage }, onChange }: TriageChoiceProps) {
  const segments = CHOICES.map((choice) => ({
    key: choice ?? '',
    label: labelOf(choice),
    isOn: triage === choice,
    onPress: () => onChange({ triage: choice }),
  }))
  return <Segments legend={FILTER_LABELS.triage} isLabelled segments={segments} />
}

type ConcernChoiceProps = { search: ThreatSearch; language: QueryLanguage | null; onChange: ChangeSearch }

/** Narrows the list to what lists of names match; a second press lifts it. The search holds it. */
function ConcernChoice({ search: { q = '' }, language, onChange }: ConcernChoiceProps) {
  // Only the language knows whether the search holds it already.
  if (hasSigns(q) && !language) return null
  const part = language?.splitQuery(q)?.find(({ label, value }) => label === 'List' && value === '*')
  const others = hasSigns(q) ? `(${q})` : q
  const segment = {
    key: 'list',
    label: 'Concerns us',
    isOn: part !== undefined,
    onPress: () => onChange({ q: part ? part.without || undefined : `${others} list:*`.trim() }),
  }
  return <Segments legend="Lists" segments={[segment]} />
}

function labelOf(choice: TriageFilter | undefined): string {
  if (choice === undefined) return 'All'
  return choice === 'open' ? 'Open' : (TRIAGE_LABELS.get(choice) ?? choice)
}
