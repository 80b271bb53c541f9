import * as z from 'zod/mini'
import { timeZoneSchema } from '../time-zone.ts'
import { rowKindSchema } from './arrangement.ts'
import { periodQuerySchema } from './period.ts'
import { threatFacetsSchema, threatFilterSchema } from './threat-list.ts'

export const trendGroupSchema = z.keyof(threatFacetsSchema)
export type TrendGroup = z.infer<typeof trendGroupSchema>

const trendFilterSchema = z.omit(threatFilterSchema, { within: true, from: true, to: true })

/** Query of `GET /bff/trends`: the feed's filter without its days; its moments only filter. Lists repeat their name. */
export const trendQuerySchema = z.extend(trendFilterSchema, {
  /** IANA name of the zone whose days are counted. */
  timeZone: timeZoneSchema,
  period: periodQuerySchema,
  /** Splits the counts by the values of this name. */
  by: z.optional(trendGroupSchema),
  /** Counts claims unless given; `cases` counts both. */
  rows: z.optional(rowKindSchema),
})
export type TrendQuery = z.infer<typeof trendQuerySchema>
