import * as z from 'zod/mini'

/** Counts of values, most frequent first. `cases` is present with `rows=cases` only; then these are the order. */
export const countedValuesSchema = z.array(
  z.object({ value: z.string(), count: z.int(), cases: z.optional(z.int()) }),
)
export type CountedValue = z.infer<typeof countedValuesSchema>[number]

/**
 * Two counts of equally long times: of a period up to the minute that was last read, and of the same part of the period
 * before. Only for periods of which all of both is stored.
 */
export const comparisonSchema = z.object({
  count: z.int(),
  previous: z.int(),
  /** The same in cases. With `rows=cases` only. */
  cases: z.optional(z.object({ count: z.int(), previous: z.int() })),
  /** The vendor gives days without a time: only days that are over are compared. */
  isWithoutToday: z.optional(z.boolean()),
  /** The period is over; absent while it runs. */
  isOver: z.optional(z.boolean()),
})
export type Comparison = z.infer<typeof comparisonSchema>
