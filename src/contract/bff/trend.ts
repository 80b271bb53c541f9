import * as z from 'zod/mini'
import { comparisonSchema } from './comparison.ts'
import { freshnessSchema } from './freshness.ts'
import { threatFacetsSchema, threatFilterSchema } from './threat-list.ts'
import { timeZoneSchema } from './time-zone.ts'

/** Days of a trend, today included. */
export const TREND_DAYS = 30
/** A trend has this many values of its own; what is left over is in the days' counts alone. */
export const TREND_SERIES_MAX_COUNT = 8

export const trendGroupSchema = z.keyof(threatFacetsSchema)
export type TrendGroup = z.infer<typeof trendGroupSchema>

const trendFilterSchema = z.omit(threatFilterSchema, { within: true, from: true, to: true, set: true })

/** Query of `GET /bff/trends`: the feed's filter without its days; its moments only filter. Lists repeat their name. */
export const trendQuerySchema = z.extend(trendFilterSchema, {
  /** IANA name of the zone whose days are counted. */
  timeZone: timeZoneSchema,
  /** Splits the counts by the values of this name. */
  by: z.optional(trendGroupSchema),
})
export type TrendQuery = z.infer<typeof trendQuerySchema>

/**
 * One day of the reader's zone. `partial`: today, and days that are stored in part; the count is of the stored part.
 * `unknown`: outside the stored range, and never zero.
 */
export const trendDaySchema = z.object({
  date: z.iso.date(),
  /** Bounds of the day, ISO 8601 UTC; `to` is the start of the next day. */
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  coverage: z.enum(['whole', 'partial', 'unknown']),
  /** Null when unknown. */
  count: z.nullable(z.int()),
})
export type TrendDay = z.infer<typeof trendDaySchema>

const trendDaysSchema = z.array(trendDaySchema).check(z.minLength(TREND_DAYS), z.maxLength(TREND_DAYS))

export const trendSchema = z.object({
  /** Oldest first; the last one is today. */
  days: trendDaysSchema,
  /** The 30 days before, in the same order. */
  previous: trendDaysSchema,
  /** Most frequent first, counts in the order of `days`; empty without `by`. A record with several values counts for each. */
  series: z.array(z.object({ value: z.string(), counts: z.array(z.nullable(z.int())) })),
  /** Of the known days. */
  total: z.int(),
  /** Of the 30 days, today so far, with the same part of the 30 days before; null unless all of both is stored. */
  compared: z.nullable(comparisonSchema),
})
export type Trend = z.infer<typeof trendSchema>

/** Answer of `GET /bff/trends`: from the window, free. While the window is empty every day is unknown. */
export const trendAnswerSchema = z.object({ trend: trendSchema, freshness: freshnessSchema })
export type TrendAnswer = z.infer<typeof trendAnswerSchema>
