import * as z from 'zod/mini'
import { threatFilterSchema } from './threat-list.ts'
import { timeZoneSchema } from './time-zone.ts'

/** Query of `GET /bff/new-threats`: the list's filter, and the change that the list has taken into account. */
export const newThreatsQuerySchema = z.extend(threatFilterSchema, {
  timeZone: timeZoneSchema,
  after: z.pipe(z.string().check(z.regex(/^\d{1,15}$/, 'must be a whole number')), z.transform(Number)),
})
export type NewThreatsQuery = z.infer<typeof newThreatsQuerySchema>

/** Answer of `GET /bff/new-threats`. */
export const newThreatsSchema = z.object({
  /** Only records that were new at the vendor, not older ones that were read later. */
  newThreats: z.int(),
  /** False where there may be more. */
  isWhole: z.boolean(),
})
export type NewThreats = z.infer<typeof newThreatsSchema>
