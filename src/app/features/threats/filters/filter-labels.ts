import type { ThreatFilterName } from '#contract/bff/threat-list.ts'

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
} as const satisfies Record<ThreatFilterName, string>
