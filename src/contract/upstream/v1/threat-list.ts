import * as z from 'zod/mini'
import { countSchema, includeSchema, queryInstantSchema, queryTextSchema } from '../query-schemas.ts'
import { v1ThreatSchema } from './threat.ts'

const CURSOR_ERROR = 'must be the meta.cursor of a page of this list'

/** The service holds trial keys to 50; above the maximum is 400, as in the earlier set. */
export const v1LimitSchema = z
  ._default(countSchema({ minimum: 1, maximum: 100 }), 50)
  .check(z.describe('At most 50 with a trial key.'))

export const v1ThreatsQuerySchema = z.strictObject({
  limit: v1LimitSchema,
  cursor: z
    .optional(z.string().check(z.minLength(1, CURSOR_ERROR), z.maxLength(2048, CURSOR_ERROR)))
    .check(z.describe('The meta.cursor of the page before, with the same filters.')),
  category: z.optional(queryTextSchema).check(z.describe('Exact match with a permitted category.')),
  country: z
    .optional(queryTextSchema)
    .check(
      z.describe("Alpha-2 code or English name in any letter case; matches any of a record's countries."),
    ),
  since: z
    .optional(queryInstantSchema)
    .check(z.describe('First moment, inclusive: a date is its start in UTC, a time without offset is UTC.')),
  include: includeSchema,
})
export type V1ThreatsQuery = z.infer<typeof v1ThreatsQuerySchema>

export const v1ListMetaSchema = z.strictObject({
  /** All records that the filters match, on this page or another. */
  total: z.int(),
  returned: z.int(),
  cursor: z.nullable(z.string()),
  /** Each as the request spelt it, so that a client can compare. */
  filters_applied: z.strictObject({
    category: z.nullable(z.string()),
    country: z.nullable(z.string()),
    since: z.nullable(z.string()),
  }),
})

/** Answer of `GET /api/v1/threats`, newest first. */
export const v1ThreatsSchema = z.strictObject({
  data: z.array(z.extend(v1ThreatSchema, { content: z.optional(z.string()) })),
  meta: v1ListMetaSchema,
})
export type V1Threats = z.infer<typeof v1ThreatsSchema>
