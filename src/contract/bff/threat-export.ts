import * as z from 'zod/mini'
import { timeZoneSchema } from '../time-zone.ts'
import { listOrderSchema } from './arrangement.ts'
import { coverageSchema } from './coverage.ts'
import { checkedSchema } from './freshness.ts'
import { concernsOfThreatSchema } from './list-match.ts'
import { threatSchema } from './threat.ts'
import { threatFilterSchema } from './threat-list.ts'

/** More threats than any history is meant to hold: an export beyond is partial, and says so. */
export const EXPORT_MAX_COUNT = 200_000

/** Query of `GET /bff/exports/threats`: the feed's own filter and order. Groups that are closed there are exported as well. */
export const exportQuerySchema = z.extend(threatFilterSchema, {
  ...listOrderSchema.shape,
  /** Also of the days that threats are grouped by. */
  timeZone: timeZoneSchema,
})
export type ExportQuery = z.infer<typeof exportQuerySchema>

/** A threat as it leaves Lantern: what its list says of parts that it does not hold is for Lantern's own searches. */
const exportedThreatSchema = z.extend(z.omit(threatSchema, { listSays: true }), {
  /** By the lists that the requesting account sees. */
  concerns: concernsOfThreatSchema,
})
export type ExportedThreat = z.infer<typeof exportedThreatSchema>

/**
 * One line of the answer (`application/x-ndjson`): first a summary, then each threat in the requested order,
 * then the end. An answer without an end was cut off. It is answered from stored threats, without a call.
 */
export const exportLineSchema = z.union([
  z.object({
    head: z.object({
      exportedAt: z.iso.datetime(),
      /** How much of the query's time is stored. */
      coverage: coverageSchema,
      /** Up to which age these records were compared with the vendor's list, and when; absent where they were not. */
      checked: z.optional(checkedSchema),
      /** Why not everything that matches is there, for a person; null when it is. */
      partialReason: z.nullable(z.string()),
      /** How many threats are to come. */
      total: z.int(),
    }),
  }),
  z.object({ threat: exportedThreatSchema }),
  z.object({ end: z.object({ threats: z.int() }) }),
])
export type ExportLine = z.infer<typeof exportLineSchema>
