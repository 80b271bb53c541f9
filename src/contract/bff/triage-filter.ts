import * as z from 'zod/mini'

/** `open` leaves out what is closed, `unread` also what was read; `mine` has what the reader owns and is not closed, `overdue` what is past its due time now. Only the store answers them. */
export const TRIAGE_FILTERS = ['open', 'unread', 'mine', 'overdue', 'starred', 'closed'] as const

/** Filter of the feed by what the team has done. `dismissed` is how older addresses and saved views have `closed`. */
export const triageFilterSchema = z.pipe(
  z.transform((filter) => (filter === 'dismissed' ? 'closed' : filter)),
  z.enum(TRIAGE_FILTERS),
)
export type TriageFilter = z.infer<typeof triageFilterSchema>
