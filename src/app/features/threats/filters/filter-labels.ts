import type { ThreatFilterName } from '#contract/bff/threat-list.ts'

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
