import * as z from 'zod/mini'

/** Filter of the feed: `open` leaves out what was dismissed, `unread` also what was read. Only the window answers it. */
export const triageFilterSchema = z.enum(['open', 'unread', 'starred', 'dismissed'])
export type TriageFilter = z.infer<typeof triageFilterSchema>
