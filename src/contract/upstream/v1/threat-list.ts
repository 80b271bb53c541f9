import * as z from 'zod/mini'
import { countSchema, queryInstantSchema, queryTextSchema } from '../query-schemas.ts'
import { v1ThreatSchema } from './threat.ts'

/** Trial keys have a maximum of 50, which only the service knows to apply; above the maximum is 400, as in the earlier set. */
export const v1LimitSchema = z._default(countSchema({ minimum: 1, maximum: 100 }), 50)

export const v1ThreatsQuerySchema = z.strictObject({
  limit: v1LimitSchema,
  cursor: z.optional(
    z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(2048, 'is not a cursor of this list')),
  ),
  /** Exact match with a permitted category. */
  category: z.optional(queryTextSchema),
  /** An alpha-2 code or an English name, in any letter case; matches any of a record's countries. */
  country: z.optional(queryTextSchema),
  /** Inclusive. */
  since: z.optional(queryInstantSchema),
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
export type V1ListMeta = z.infer<typeof v1ListMetaSchema>

/** Answer of `GET /api/v1/threats`, newest first. */
export const v1ThreatsSchema = z.strictObject({ data: z.array(v1ThreatSchema), meta: v1ListMetaSchema })
export type V1Threats = z.infer<typeof v1ThreatsSchema>
