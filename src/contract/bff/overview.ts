import * as z from 'zod/mini'
import { timeZoneSchema } from '../time-zone.ts'
import { rowKindSchema } from './arrangement.ts'
import { freshnessSchema } from './freshness.ts'
import { listKindSchema, listMatchSchema } from './list-match.ts'
import { periodQuerySchema, periodSchema } from './period.ts'
import { threatSchema } from './threat.ts'
import { comparisonSchema, coveredDaysSchema } from './trend.ts'

/** How many claims, and with `rows=cases` how many cases, a time has, and what of it can be compared. */
export const timeCountSchema = z.object({
  /** Bounds, ISO 8601 UTC: the feed counts the same from `since` until `until`. */
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  /** Claims of the stored part; null if none of the time is stored. */
  count: z.nullable(z.int()),
  /** The same in cases. With `rows=cases` only. */
  cases: z.optional(z.nullable(z.int())),
  /** True if all of the time is stored. */
  isWhole: z.boolean(),
  /** Null unless all of both times is stored. */
  compared: z.nullable(
    z.extend(comparisonSchema, {
      /** End of the compared part, ISO 8601 UTC. The feed counts the same from `since` until then. */
      until: z.iso.datetime(),
      /** Bounds of the same part of the time before: the feed counts the same between them. */
      previousSince: z.iso.datetime(),
      previousUntil: z.iso.datetime(),
    }),
  ),
})
export type TimeCount = z.infer<typeof timeCountSchema>

export const rankedValueSchema = z.object({
  value: z.string(),
  count: z.int(),
  /** The same in cases. With `rows=cases` only. */
  cases: z.optional(z.int()),
  /** Compares the period so far with the same part of the previous one. Null unless both are stored completely. */
  compared: z.nullable(comparisonSchema),
})
export type RankedValue = z.infer<typeof rankedValueSchema>

const rankedSchema = z.array(rankedValueSchema)

/** Query of `GET /bff/overview`. */
export const overviewQuerySchema = z.object({
  /** IANA name of the zone whose days are counted. */
  timeZone: timeZoneSchema,
  period: periodQuerySchema,
  /** Counts claims unless given; `cases` counts both, and ranks by cases. */
  rows: z.optional(rowKindSchema),
})

/** Threats since `since` that concern the reader by lists of names. */
export const concernsSchema = z.object({
  since: z.iso.datetime(),
  /** The lists with the most certain matches first. */
  lists: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      kind: listKindSchema,
      /** Threats that an entry matches for certain, and those that only may be about one. */
      certain: z.int(),
      toConfirm: z.int(),
    }),
  ),
  /** Certain ones first, then the newest. */
  newest: z.array(z.extend(listMatchSchema, { listId: z.uuid() })),
})
export type Concerns = z.infer<typeof concernsSchema>

/** Answer of `GET /bff/overview`: from stored threats, without a call. All text is third-party text. */
export const overviewSchema = z.object({
  /** Since the end of the reader's visit before this one; null on the first. */
  lastVisit: z.nullable(timeCountSchema),
  /** Since the last visit; on the first, of the last 7 days. Null without a list; absent while the database is away. */
  concerns: z.optional(z.nullable(concernsSchema)),
  /** The last 24 hours, to the minute. */
  day: timeCountSchema,
  /** 7 calendar days, today included. */
  week: timeCountSchema,
  /** The period of the query. */
  period: z.extend(timeCountSchema, periodSchema.shape),
  /** Threats of the period. */
  days: coveredDaysSchema,
  /** The most frequent values of the period, most frequent first; countries by alpha-2 code. */
  top: z.object({
    actor: rankedSchema,
    country: rankedSchema,
    industry: rankedSchema,
    severity: rankedSchema,
  }),
  /** The vendor gives days without a time: hours of its threats are not known. */
  isDatedByDay: z.optional(z.boolean()),
  /** The newest threats that are rated critical. */
  newestCritical: z.array(threatSchema),
  freshness: freshnessSchema,
})
export type Overview = z.infer<typeof overviewSchema>
