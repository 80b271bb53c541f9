import * as z from 'zod/mini'
import { freshnessSchema } from './freshness.ts'
import { periodSchema } from './period.ts'

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

/** A trend has this many values of its own; what is left over is in the days' counts alone. */
export const TREND_SERIES_MAX_COUNT = 8

/**
 * One interval of a period in the reader's zone: a day, or several as the period's unit says. `partial`: what is not over,
 * and what is stored in part; the count is of the stored part. `unknown`: not stored, and never zero.
 */
export const trendDaySchema = z.object({
  /** The first day. */
  date: z.iso.date(),
  /** Bounds, ISO 8601 UTC; `to` is the start of the next interval. */
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  coverage: z.enum(['whole', 'partial', 'unknown']),
  /** Claims; null when unknown. */
  count: z.nullable(z.int()),
  /** Cases whose first claim within the period is of this interval. With `rows=cases` only. */
  cases: z.optional(z.nullable(z.int())),
})
export type TrendDay = z.infer<typeof trendDaySchema>

const coveredDaySchema = z.pick(trendDaySchema, { date: true, coverage: true })
export type CoveredDay = z.infer<typeof coveredDaySchema>

/** The intervals that an answer's counts are of, oldest first. */
export const coveredDaysSchema = z.array(coveredDaySchema)

const trendDaysSchema = z.array(trendDaySchema)

export const trendSchema = z.object({
  period: periodSchema,
  /** Oldest first; the last one holds today while the period runs. */
  days: trendDaysSchema,
  /** Intervals of the previous period in the same order, at most as many. */
  previous: trendDaysSchema,
  /** Most frequent first, counts in the order of `days`; empty without `by`. A record with several values counts for each. */
  series: z.array(
    z.object({
      value: z.string(),
      counts: z.array(z.nullable(z.int())),
      /** With `rows=cases` only; then these decide the order. */
      caseCounts: z.optional(z.array(z.nullable(z.int()))),
    }),
  ),
  /** Total claims of the known intervals. */
  total: z.int(),
  /** Total cases of the known intervals. With `rows=cases` only. */
  cases: z.optional(z.int()),
  /** Compares the period so far with the same part of the previous one. Null unless both are stored completely. */
  compared: z.nullable(comparisonSchema),
})
export type Trend = z.infer<typeof trendSchema>

/** Answer of `GET /bff/trends`: from the store, free. While that is empty every interval is unknown. */
export const trendAnswerSchema = z.object({ trend: trendSchema, freshness: freshnessSchema })
export type TrendAnswer = z.infer<typeof trendAnswerSchema>
