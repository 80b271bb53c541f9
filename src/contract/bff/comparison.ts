import * as z from 'zod/mini'

/**
 * Two counts of equally long times: of a period up to the minute that was last read, and of the same part of the period
 * before. Only for periods of which all of both is stored.
 */
export const comparisonSchema = z.object({
  count: z.int(),
  previous: z.int(),
  /** The source gives days without a time: only days that are over are compared. */
  isWithoutToday: z.optional(z.boolean()),
  /** The period is over; absent while it runs. */
  isOver: z.optional(z.boolean()),
})
export type Comparison = z.infer<typeof comparisonSchema>
