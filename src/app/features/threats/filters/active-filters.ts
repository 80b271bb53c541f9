import { countryName } from '#app/format/country-name.ts'
import { localDay } from '#app/format/local-day.ts'
import { exactTime } from '#app/format/time.ts'
import type { ThreatFilterName } from '#contract/bff/threat-list.ts'
import type { ThreatSearch } from '../address/threat-search.ts'
import type { QueryLanguage } from '../search/use-query-language.ts'
import { DAY_RANGES, FILTER_LABELS, FILTER_NAMES, TRIAGE_LABELS } from './filter-labels.ts'

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
