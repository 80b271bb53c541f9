import type { TriageFilter } from './triage-filter.ts'

/** The team's state of a threat, as far as filters use it. */
export type TriageMarked = {
  isRead: boolean
  isStarred: boolean
  isClosed: boolean
  isMine: boolean
  /** Its case is past its due time now. */
  isOverdue: boolean
}

const ACCEPTS: Readonly<Record<TriageFilter, (marked: TriageMarked) => boolean>> = {
  open: ({ isClosed }) => !isClosed,
  unread: ({ isClosed, isRead }) => !isClosed && !isRead,
  mine: ({ isClosed, isMine }) => !isClosed && isMine,
  overdue: ({ isClosed, isOverdue }) => !isClosed && isOverdue,
  starred: ({ isStarred }) => isStarred,
  closed: ({ isClosed }) => isClosed,
}

const UNTOUCHED: TriageMarked = {
  isRead: false,
  isStarred: false,
  isClosed: false,
  isMine: false,
  isOverdue: false,
}

/** Returns true if a filter accepts a threat with this state; undefined is an untouched threat. */
export function acceptsTriage(filter: TriageFilter, marked: TriageMarked = UNTOUCHED): boolean {
  return ACCEPTS[filter](marked)
}
