import * as z from 'zod/mini'

/** `open` leaves out what is closed, `unread` also what was read; `mine` has what the reader owns and is not closed, `overdue` what is past its due time now. Only the store answers them. */
export const TRIAGE_FILTERS = ['open', 'unread', 'mine', 'overdue', 'starred', 'closed'] as const

/** Filter of the feed by what the team has done. `dismissed` is how older addresses and saved views have `closed`. */
export const triageFilterSchema = z.pipe(
  z.transform((filter) => (filter === 'dismissed' ? 'closed' : filter)),
  z.enum(TRIAGE_FILTERS),
)
export type TriageFilter = z.infer<typeof triageFilterSchema>

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
