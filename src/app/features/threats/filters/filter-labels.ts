import type { ThreatFilterName, Within } from '#contract/bff/threat-list.ts'
import type { TriageFilter } from '#contract/bff/triage-filter.ts'

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
export const FILTER_NAMES = Object.keys(FILTER_LABELS).filter(
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
