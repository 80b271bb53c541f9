import type { TriageFilter } from '#contract/bff/triage-filter.ts'

const LABELS: Readonly<Record<TriageFilter, string>> = {
  open: 'Not dismissed',
  unread: 'Unread',
  starred: 'Starred',
  dismissed: 'Dismissed',
}

/** Labels of the choices of 'Show'. */
export const TRIAGE_LABELS: ReadonlyMap<string, string> = new Map(Object.entries(LABELS))
