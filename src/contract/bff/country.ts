import * as z from 'zod/mini'
import { freshnessSchema } from './freshness.ts'
import { countedNameSchema, otherFieldSchema } from './other-field.ts'

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
  /** UTC days, oldest first. A day that is missing was not told. */
  trend: z.array(z.object({ date: z.iso.date(), count: z.int() })),
  summary: z.nullable(z.string()),
  otherFields: z.array(otherFieldSchema),
})
export type CountryStatistics = z.infer<typeof countryStatisticsSchema>

/** Answer of `GET /bff/countries/:code`. */
export const countryAnswerSchema = z.object({ country: countryStatisticsSchema, freshness: freshnessSchema })
export type CountryAnswer = z.infer<typeof countryAnswerSchema>
