import type { TriageFilter } from './triage-filter.ts'

/** What the team has done with a threat, as far as a filter matches it. */
export type TriageMarked = { isRead: boolean; isStarred: boolean; isDismissed: boolean }

const ACCEPTS: Readonly<Record<TriageFilter, (marked: TriageMarked) => boolean>> = {
  open: ({ isDismissed }) => !isDismissed,
  unread: ({ isDismissed, isRead }) => !isDismissed && !isRead,
  starred: ({ isStarred }) => isStarred,
  dismissed: ({ isDismissed }) => isDismissed,
}

const UNTOUCHED: TriageMarked = { isRead: false, isStarred: false, isDismissed: false }

/** Whether a filter lets a threat pass; undefined for one that nobody has done anything with. */
export function acceptsTriage(filter: TriageFilter, marked: TriageMarked = UNTOUCHED): boolean {
  return ACCEPTS[filter](marked)
}
