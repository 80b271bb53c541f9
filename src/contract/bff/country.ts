import * as z from 'zod/mini'
import { timeZoneSchema } from '../time-zone.ts'
import { rowKindSchema } from './arrangement.ts'
import { freshnessSchema } from './freshness.ts'
import { periodQuerySchema, periodSchema } from './period.ts'
import { problemCodeSchema } from './problem.ts'
import { countedNameSchema, otherFieldSchema } from './threat.ts'
import { createInterestsSchema } from './threat-list.ts'
import { comparisonSchema, countedValuesSchema, coveredDaysSchema } from './trend.ts'

/** An alpha-2 code or a full English name, as a path holds it. Begins with a letter, so that it is never `..`. */
export const countryCodeOrNameSchema = z
  .string()
  .check(z.regex(/^\p{L}[\p{L}\p{M} .,'’()&-]{1,63}$/u, 'must be an alpha-2 code or the name of a country'))

/** Statistics of one country. Absent is null or an empty list; nothing is invented. All text is third-party text. */
export const countryStatisticsSchema = z.object({
  /** ISO 3166-1 alpha-2. */
  code: z.nullable(z.string()),
  name: z.string(),
  threats: z.nullable(z.int()),
  actors: z.nullable(z.int()),
  victims: z.nullable(z.int()),
  topActors: z.array(countedNameSchema),
  topIndustries: z.array(countedNameSchema),
  /** UTC days, oldest first. A day that is missing was not reported. */
  trend: z.array(z.object({ date: z.iso.date(), count: z.int() })),
  summary: z.nullable(z.string()),
  otherFields: z.array(otherFieldSchema),
})
export type CountryStatistics = z.infer<typeof countryStatisticsSchema>

/** Figures of a country in the period, from stored threats. */
export const countrySchema = z.object({
  /** ISO 3166-1 alpha-2. */
  code: z.string(),
  threats: z.int(),
  /** Cases of these threats. With `rows=cases` only, as all other figures in cases; then the order is by them. */
  cases: z.optional(z.int()),
  /** Compares the period so far with the same part of the previous one. Null unless both are stored completely. */
  compared: z.nullable(comparisonSchema),
  /** Distinct actors, and distinct organisations. */
  actors: z.int(),
  victims: z.int(),
  /** ISO 8601 UTC. */
  latestAt: z.nullable(z.iso.datetime()),
  /** Threats in the order of the answer's days; null is not known. */
  counts: z.array(z.nullable(z.int())),
  /** Cases by the day of their first claim within the period. */
  caseCounts: z.optional(z.array(z.nullable(z.int()))),
  /** Threats of the period in one of the query's industries. Null unless the query names industries and this country. */
  concerns: z.nullable(z.int()),
  concernCases: z.optional(z.nullable(z.int())),
})
export type Country = z.infer<typeof countrySchema>

/** Query of `GET /bff/countries` and of `GET /bff/countries/:code`. */
export const countryQuerySchema = /* @__PURE__ */ z.object({
  /** The user's own countries (alpha-2) and industries. */
  country: /* @__PURE__ */ createInterestsSchema(),
  industry: /* @__PURE__ */ createInterestsSchema(),
  /** IANA name of the zone whose days are counted. */
  timeZone: timeZoneSchema,
  period: periodQuerySchema,
  /** Counts claims unless given; `cases` counts both. */
  rows: /* @__PURE__ */ z.optional(rowKindSchema),
})

/** Answer of `GET /bff/countries`: from stored threats, without a call. Most threats first. */
export const countryListSchema = z.object({
  countries: z.array(countrySchema),
  days: coveredDaysSchema,
  period: periodSchema,
  freshness: freshnessSchema,
})
export type CountryList = z.infer<typeof countryListSchema>

/** Answer of `GET /bff/countries/:code`: figures of stored threats and the vendor's own. These cost a call every few hours. */
export const countryAnswerSchema = z.object({
  /** Null when the text names no country we know. */
  code: z.nullable(z.string()),
  /** Null while nothing is stored, and for a country that we do not know. */
  window: z.nullable(
    z.extend(countrySchema, {
      topActors: countedValuesSchema,
      topIndustries: countedValuesSchema,
      categories: countedValuesSchema,
      severities: countedValuesSchema,
    }),
  ),
  days: coveredDaysSchema,
  period: periodSchema,
  statistics: z.nullable(countryStatisticsSchema),
  /** When the statistics were read, and whether they are current. */
  statisticsFreshness: z.nullable(freshnessSchema),
  /** Why there are no statistics; `isComing` when they are on their way. */
  absent: z.nullable(z.object({ code: problemCodeSchema, reason: z.string(), isComing: z.boolean() })),
  freshness: freshnessSchema,
})
export type CountryAnswer = z.infer<typeof countryAnswerSchema>
