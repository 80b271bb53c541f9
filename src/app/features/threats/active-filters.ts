import { countryName } from '#app/format/country-name.ts'
import { exactDay, exactTime } from '#app/format/time.ts'
import type { ThreatFilterName } from '#contract/bff/threat-list.ts'
import { DAY_RANGES } from './day-ranges.ts'
import type { ThreatSearch } from './threat-search.ts'
import { TRIAGE_LABELS } from './triage-labels.ts'

/** What the feed's controls are called, in their order. */
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
  set: 'API',
} as const satisfies Record<ThreatFilterName | 'set', string>

export type FilterName = keyof typeof FILTER_LABELS

export type ActiveFilter = {
  name: FilterName
  label: string
  /** For a person. It came with the address: third-party text. */
  value: string
  /** The change of the search that drops this value alone. */
  without: Partial<ThreatSearch>
}

const NAMES = [
  'q',
  'category',
  'country',
  'within',
  'from',
  'to',
  'since',
  'until',
  'severity',
  'actor',
  'industry',
  'triage',
  'set',
] as const

/** Every value in use, one by one; moments in the reader's zone. */
export function listActiveFilters(search: ThreatSearch, timeZone: string): ActiveFilter[] {
  return NAMES.flatMap((name) => {
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
  const none = Object.fromEntries(NAMES.map((name) => [name, undefined]))
  return view ? { ...none, view: 'all' } : none
}

function describe(name: FilterName, value: string, timeZone: string): string {
  if (name === 'country') return countryName(value)
  if (name === 'within') return DAY_RANGES.find(({ within }) => within === value)?.chip ?? value
  if (name === 'from' || name === 'to') return exactDay(value, 'UTC')
  if (name === 'since' || name === 'until') return exactTime(value, timeZone)
  return TRIAGE_LABELS.get(value) ?? value
}
