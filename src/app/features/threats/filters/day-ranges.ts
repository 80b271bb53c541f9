import type { Within } from '#contract/bff/threat-list.ts'

/** Ranges up to now, by the names of their buttons and of their chips. */
export const DAY_RANGES = [
  { within: '1d', label: 'Today', chip: 'today' },
  { within: '7d', label: '7 days', chip: 'in the last 7 days' },
  { within: '30d', label: '30 days', chip: 'in the last 30 days' },
] as const satisfies { within: Within; label: string; chip: string }[]
