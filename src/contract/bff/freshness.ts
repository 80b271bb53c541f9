import * as z from 'zod/mini'

/** When an answer's data was fetched, whether it can be trusted to be current, and which time it covers. */
export const freshnessSchema = z.object({
  fetchedAt: z.iso.datetime(),
  isStale: z.boolean(),
  /** A sentence for a person; null while the answer is fresh. */
  staleReason: z.nullable(z.string()),
  /** Bounds of the covered time, ISO 8601 UTC; null where nobody knows. */
  covers: z.object({
    from: z.nullable(z.iso.datetime()),
    to: z.nullable(z.iso.datetime()),
  }),
})
export type Freshness = z.infer<typeof freshnessSchema>
