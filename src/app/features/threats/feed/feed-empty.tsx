import { queryOptions, useQuery } from '@tanstack/react-query'
import type { MouseEvent, RefObject } from 'react'
import { getJson } from '#app/api/get-json.ts'
import { todayIn } from '#app/features/periods/period-options.ts'
import { clipText } from '#app/format/clip-text.ts'
import { count, countOf } from '#app/format/count.ts'
import { countryName } from '#app/format/country-name.ts'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import {
  type Condition,
  type ConditionAnswer,
  conditionAnswerSchema,
  type NearestValue,
} from '#contract/bff/condition.ts'
import type { ThreatList } from '#contract/bff/threat-list.ts'
import type { TriageFilter } from '#contract/bff/triage-filter.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { findCrossedDays } from '#matcher/query/query-days.ts'
import {
  type ChangeSearch,
  filterOf,
  scopeOf,
  type ThreatListScope,
  type ThreatSearch,
} from '../address/threat-search.ts'
import { type ActiveFilter, dropFilters, listActiveFilters } from '../filters/active-filters.ts'
import { isByKeyboard } from '../filters/filter-chips.tsx'
import * as language from '../search/query-language.ts'
import { CoverageNote } from './feed-status.tsx'

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
        The vendor has no record that this key may see. New ones are announced here as they arrive.
      </EmptyState>
    )
  }
  const { triage } = search
  if (triage && filters.length === 1) {
    const { title, advice } = NO_WORK[triage]
    return (
      <EmptyState title={title}>
        <p>{advice}</p>
        <Button
          variant="quiet"
          className="mt-3 max-sm:h-11"
          onClick={(event) => change(event, { triage: undefined })}
        >
          Show all threats
        </Button>
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

/** An empty list of the team's work: often good news, and never a fault of the filter. */
const NO_WORK: Readonly<Record<TriageFilter, { title: string; advice: string }>> = {
  open: { title: 'No case is open', advice: 'All cases are closed. New claims open cases again.' },
  unread: { title: 'Everything is read', advice: 'New cases appear here until somebody opens them.' },
  mine: { title: 'You own no open case', advice: 'Take case (a) makes you the owner of a case.' },
  overdue: { title: 'No case is overdue', advice: 'Open cases appear here when their due time has passed.' },
  starred: { title: 'No case is starred', advice: 'Star (s) keeps a case here for the team.' },
  closed: {
    title: 'No case is closed',
    advice: 'Close case (c) asks for a reason. The case can be reopened.',
  },
}

type EmptyConditionsProps = {
  search: ThreatSearch
  /** Each value in use. */
  filters: readonly ActiveFilter[]
  onChange(event: MouseEvent, change: Partial<ThreatSearch>): void
}

/** A filter with all of its values, or a part of the search. */
type ShownCondition = ActiveFilter & { part: number | undefined }

const LABEL_MAX_LENGTH = 60

/** Shows what each condition of an empty list matches alone, and a button to remove or correct it. */
function EmptyConditions({ search, filters, onChange }: EmptyConditionsProps) {
  const timeZone = useTimeZone()
  const { data, isPending, isError } = useQuery(conditionOptions(scopeOf(filterOf(search), timeZone)))
  const shown = joinValues(filters)
  const { q = '' } = search
  const [crossed] = findCrossedDays(parseQuery(q).tree, q, todayIn(timeZone, Date.now()))
  const counted = data?.conditions ?? null
  return (
    <>
      <p>{crossed ? crossed.message : adviceOf(shown.length, counted)}</p>
      {crossed && (
        <Button
          className="mt-2 max-w-full max-sm:h-11"
          onClick={(event) => onChange(event, { q: putInPlace(q, crossed) })}
        >
          <span className="min-w-0 truncate">
            <Untrusted
              text={crossed.fix ? `Write ${crossed.fix}` : 'Remove the second'}
              maxLength={80}
              clip="silent"
              isRaw
            />
          </span>
        </Button>
      )}
      <ul aria-label="Conditions" className="mt-4 divide-y divide-line border-line border-y text-left">
        {shown.map((condition) => {
          const { name, part, label, value, without } = condition
          const found = counted?.find((each) => each.name === name && each.part === part)
          const isCounting = isPending && !isError
          return (
            <li key={`${name} ${part}`} className="grid gap-1.5 py-2.5">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
                <span className="wrap-anywhere min-w-0 flex-1 max-sm:basis-full">
                  {label}:{' '}
                  <span className="font-medium text-ink">
                    <Untrusted text={value} maxLength={200} />
                  </span>
                </span>
                <span className="tabular-nums max-sm:mr-auto">
                  {isCounting ? 'Counting…' : countOfCondition(found, data)}
                </span>
                <Button
                  size="small"
                  icon="x"
                  aria-label={`Remove this filter: ${label}: ${clipText(visibleLine(value), LABEL_MAX_LENGTH)}`}
                  className="max-sm:h-11"
                  onClick={(event) => onChange(event, without)}
                >
                  Remove this filter
                </Button>
              </div>
              {found?.nearest.map((nearest) => (
                <Nearest
                  key={`${nearest.value} ${nearest.place?.from}`}
                  nearest={nearest}
                  onPress={(event) => onChange(event, replaceValue(search, found, nearest))}
                />
              ))}
            </li>
          )
        })}
      </ul>
      {data !== undefined && data.more > 0 && (
        <p className="mt-2 text-xs">The first {count(counted?.length)} conditions are counted.</p>
      )}
    </>
  )
}

type NearestProps = { nearest: NearestValue; onPress(event: MouseEvent): void }

/** A value that no threat has, and the one that was most likely meant. */
function Nearest({ nearest: { field, value, instead, count: found }, onPress }: NearestProps) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="wrap-anywhere min-w-0">
        No threat has <Untrusted text={`“${value}”`} maxLength={120} clip="silent" isRaw />. Did you mean
        this?
      </span>
      <Button size="small" className="max-w-full max-sm:h-11" onClick={onPress}>
        <span className="min-w-0 truncate">
          <Untrusted
            text={field === 'country' ? countryName(instead) : instead}
            maxLength={80}
            clip="silent"
            isRaw
          />
        </span>
        {` (${count(found)})`}
      </Button>
    </p>
  )
}

function conditionOptions(scope: ThreatListScope) {
  return queryOptions({
    queryKey: ['conditions', scope],
    queryFn: ({ signal }) => getJson('conditions', conditionAnswerSchema, { query: { ...scope }, signal }),
  })
}

/** The values of a filter are one condition; each part of the search is one. */
function joinValues(filters: readonly ActiveFilter[]): ShownCondition[] {
  const ofSearch = filters.filter(({ name }) => name === 'q')
  const byName = Map.groupBy(
    filters.filter(({ name }) => name !== 'q'),
    ({ name }) => name,
  )
  const joined = [...byName].flatMap(([name, values]): ShownCondition[] => {
    const [first] = values
    if (!first) return []
    const value = values.map((each) => each.value).join(' or ')
    return [{ name, label: first.label, value, without: { [name]: undefined }, part: undefined }]
  })
  return [...ofSearch.map((each, part) => ({ ...each, part })), ...joined]
}

function adviceOf(shown: number, counted: readonly Condition[] | null): string {
  if (shown === 1) return 'Remove or change the filter to see threats.'
  const isEach = counted?.every((condition) => condition.count > 0) ?? false
  return isEach
    ? 'Each condition matches threats, but no threat matches all of them. Remove one to see more.'
    : 'Remove or change a condition to see threats.'
}

function countOfCondition(condition: Condition | undefined, answer: ConditionAnswer | undefined): string {
  if (!condition) return answer ? 'Not counted' : ''
  const threats = countOf(condition.count, 'threat')
  return answer?.isExact ? threats : `At least ${threats}`
}

/** The search with the nearest value in the place of one that no threat has. */
function replaceValue(
  search: ThreatSearch,
  { name }: Condition,
  { value, instead, place }: NearestValue,
): Partial<ThreatSearch> {
  if (place) return { q: putInPlace(search.q ?? '', place) }
  const given = search[name]
  if (!Array.isArray(given)) return {}
  return { [name]: [...new Set(given.map((each) => (each === value ? instead : each)))] }
}

type Replacement = { from: number; to: number; fix?: string | undefined }

function putInPlace(q: string, { from, to, fix = '' }: Replacement): string | undefined {
  return (q.slice(0, from) + fix + q.slice(to)).trim() || undefined
}
