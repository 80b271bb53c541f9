import * as z from 'zod/mini'
import { daySchema } from '../../moment.ts'
import { countSchema, includeSchema, queryTextSchema } from '../query-schemas.ts'
import { earlierThreatSchema } from './threat.ts'

const COUNTRY_ERROR = 'must be an ISO 3166-1 alpha-2 code such as DE'
// PostgreSQL's bigint would hold more; no list is longer.
const OFFSET_MAX = 1_000_000_000

/** A limit above the maximum is a mistake and not cut, so that no client takes a short page for the last one. */
export const feedQuerySchema = z
  .strictObject({
    limit: z._default(countSchema({ minimum: 1, maximum: 100 }), 20),
    offset: z
      ._default(countSchema({ minimum: 0, maximum: OFFSET_MAX }), 0)
      .check(z.describe('How many of the newest to skip.')),
    category: z.optional(queryTextSchema).check(z.describe('Exact match with a permitted category.')),
    country: z
      .optional(z.string().check(z.regex(/^[A-Za-z]{2}$/, COUNTRY_ERROR), z.toUpperCase()))
      .check(z.describe("Alpha-2 code in any letter case; matches any of a record's countries.")),
    date_from: z.optional(daySchema).check(z.describe('First whole day, UTC.')),
    date_to: z.optional(daySchema).check(z.describe('Last whole day, UTC.')),
    search: z
      .optional(queryTextSchema)
      .check(z.describe('Words and "quoted phrases"; a record matches when it holds all of them.')),
    include: includeSchema,
  })
  .check(
    z.refine(({ date_from, date_to }) => !date_from || !date_to || date_from <= date_to, {
      path: ['date_from'],
      error: 'must not be after date_to',
    }),
  )

export const paginationSchema = z.strictObject({
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  has_more: z.boolean(),
})

/** Answer of `GET /api/feed`, newest first. */
export const feedSchema = z.strictObject({
  threats: z.array(z.extend(earlierThreatSchema, { content: z.optional(z.string()) })),
  pagination: paginationSchema,
})
export type Feed = z.infer<typeof feedSchema>
