import { countryName } from '#app/format/country-name.ts'
import { localDay } from '#app/format/local-day.ts'
import { exactTime } from '#app/format/time.ts'
import type { ThreatFilterName, Within } from '#contract/bff/threat-list.ts'
import type { TriageFilter } from '#contract/bff/triage-filter.ts'
import type { ThreatSearch } from '../address/threat-search.ts'
import type { QueryLanguage } from '../search/use-query-language.ts'

export type ActiveFilter = {
  name: ThreatFilterName
  label: string
  /** For a person. It came with the address: third-party text. */
  value: string
  /** The change of the search that drops this value alone. */
  without: Partial<ThreatSearch>
}

/**
 * Lists every value in use by itself, with moments in the user's zone. The parts of a search are listed apart once the
 * query language is loaded.
 */
export function listActiveFilters(
  search: ThreatSearch,
  timeZone: string,
  language?: QueryLanguage | null,
): ActiveFilter[] {
  return FILTER_NAMES.flatMap((name): ActiveFilter[] => {
    const parts = name === 'q' ? language?.splitQuery(search.q ?? '') : null
    if (parts)
      return parts.map(({ without, ...part }) => ({ name, ...part, without: { q: without || undefined } }))
    const label = FILTER_LABELS[name]
    const given = search[name]
    if (!Array.isArray(given)) {
      return given === undefined
        ? []
        : [{ name, label, value: describe(name, given, timeZone), without: { [name]: undefined } }]
    }
    return given.map((each) => {
      const others = given.filter((other) => other !== each)
      const without = { [name]: others.length > 0 ? others : undefined }
      return { name, label, value: describe(name, each, timeZone), without }
    })
  })
}

/** The change that drops every filter and keeps the selection. Of a view that was open nothing is left. */
export function dropFilters({ view }: ThreatSearch): Partial<ThreatSearch> {
  const none = Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined]))
  return view ? { ...none, view: 'all' } : none
}

function describe(name: ThreatFilterName, value: string, timeZone: string): string {
  if (name === 'country') return countryName(value)
  if (name === 'within' && value === 'undated') return 'without a date'
  if (name === 'within') return DAY_RANGES.find(({ within }) => within === value)?.chip ?? value
  if (name === 'from' || name === 'to') return localDay(value)
  if (name === 'since' || name === 'until') return exactTime(value, timeZone)
  return TRIAGE_LABELS.get(value) ?? value
}

/** Labels of the feed's controls, in their order. */
export const FILTER_LABELS = {
  q: 'Search',
  category: 'Category',
  country: 'Country',
  within: 'Published',
  from: 'From',
  to: 'To',
  since: 'Since',
  until: 'Until',
  severity: 'Severity',
  actor: 'Actor',
  industry: 'Industry',
  triage: 'Show',
} as const satisfies Record<ThreatFilterName, string>

/** In the order of the controls. */
const FILTER_NAMES = Object.keys(FILTER_LABELS).filter(
  (name): name is ThreatFilterName => name in FILTER_LABELS,
)

/** Ranges up to now, by the names of their buttons and of their chips. */
export const DAY_RANGES = [
  { within: '1d', label: 'Today', chip: 'today' },
  { within: '7d', label: '7 days', chip: 'in the last 7 days' },
  { within: '30d', label: '30 days', chip: 'in the last 30 days' },
] as const satisfies { within: Within; label: string; chip: string }[]

const TRIAGE_NAMES: Readonly<Record<TriageFilter, string>> = {
  open: 'Not closed',
  unread: 'Unread',
  mine: 'Mine',
  overdue: 'Overdue',
  starred: 'Starred',
  closed: 'Closed',
}

/** Labels of the choices of 'Show'. */
export const TRIAGE_LABELS: ReadonlyMap<string, string> = new Map(Object.entries(TRIAGE_NAMES))
