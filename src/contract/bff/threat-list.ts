import * as z from 'zod/mini'
import { ROUTE_SETS, routeSetSchema } from '../route-set.ts'
import { freshnessSchema } from './freshness.ts'
import { threatDetailSchema, threatIdSchema, threatSchema } from './threat.ts'
import { timeZoneSchema } from './time-zone.ts'
import { triageFilterSchema } from './triage-filter.ts'

const TEXT_MAX_LENGTH = 512
const VALUES_MAX_COUNT = 32

const valueSchema = z.string().check(z.minLength(1), z.maxLength(TEXT_MAX_LENGTH))
const momentSchema = z.iso.datetime({ offset: true })
const valuesSchema = z.array(valueSchema).check(z.maxLength(VALUES_MAX_COUNT))

/** How many days up to now each range holds, today among them. */
export const WITHIN_DAYS = { '1d': 1, '7d': 7, '30d': 30 } as const
const withinSchema = z.enum(['1d', '7d', '30d'])
export type Within = z.infer<typeof withinSchema>

/** Which threats a query matches. The feed's URL has the same names. */
export const threatFilterSchema = z.object({
  category: z.optional(valuesSchema),
  /** ISO 3166-1 alpha-2. */
  country: z.optional(
    z.array(z.string().check(z.regex(/^[A-Za-z]{2}$/))).check(z.maxLength(VALUES_MAX_COUNT)),
  ),
  actor: z.optional(valuesSchema),
  industry: z.optional(valuesSchema),
  severity: z.optional(valuesSchema),
  /** Days up to now, in the reader's time zone; `from` and `to` take its place. */
  within: z.optional(withinSchema),
  /** First day, in the reader's time zone. */
  from: z.optional(z.iso.date()),
  /** Last day, in the reader's time zone. */
  to: z.optional(z.iso.date()),
  /** First moment, ISO 8601 with an offset: beside the days, for queries such as 'the last 24 hours'. */
  since: z.optional(momentSchema),
  /** The first moment after the query's time. */
  until: z.optional(momentSchema),
  q: z.optional(valueSchema),
  /** By what the team has done with them. */
  triage: z.optional(triageFilterSchema),
  set: z.optional(routeSetSchema),
})
export type ThreatFilter = z.infer<typeof threatFilterSchema>

/** The range up to now, unless days are named. */
export function withinOf({
  within,
  from,
  to,
}: Pick<ThreatFilter, 'within' | 'from' | 'to'>): Within | undefined {
  return from === undefined && to === undefined ? within : undefined
}

/** Whether it depends on the zone which threats are meant. */
export function hasDays({ within, from, to }: Pick<ThreatFilter, 'within' | 'from' | 'to'>): boolean {
  return (within ?? from ?? to) !== undefined
}

/** Filters that narrow the list; `set` only says who answers. */
export const threatFilterNameSchema = z.keyof(z.omit(threatFilterSchema, { set: true }))
export type ThreatFilterName = z.infer<typeof threatFilterNameSchema>

/** Query of `GET /bff/threats`. Lists repeat their name: `country=DE&country=FR`. */
export const threatListQuerySchema = z.extend(threatFilterSchema, {
  /** IANA name of the zone that `within`, `from` and `to` are days of. */
  timeZone: timeZoneSchema,
  cursor: z.optional(z.string().check(z.maxLength(2048))),
})
export type ThreatListQuery = z.infer<typeof threatListQuerySchema>

const facetSchema = z.array(z.object({ value: z.string(), count: z.int() }))

/** Most frequent first, at most 100 values each; countries by alpha-2 code. Counts are as exact as the total. */
export const threatFacetsSchema = z.object({
  category: facetSchema,
  country: facetSchema,
  actor: facetSchema,
  industry: facetSchema,
  severity: facetSchema,
})
export type ThreatFacets = z.infer<typeof threatFacetsSchema>

/** Answer of `GET /bff/threats`, newest first. */
export const threatListSchema = z.object({
  threats: z.array(threatSchema),
  /** Opaque; null on the last page. */
  nextCursor: z.nullable(z.string()),
  /** On the last page, why the list ends here though there may be more, for a person; absent where it simply ends. */
  endsEarly: z.optional(z.string()),
  /** How many threats the filters match in all. */
  total: z.nullable(z.int()),
  /**
   * False when a day filter in the reader's zone cuts days that the vendor only counts whole, in UTC; and while the
   * window is filling or catches up after a pause: the total and the facets are then of what is stored so far, at least.
   */
  isTotalExact: z.boolean(),
  /** The window, free; or the route set that was called. */
  answeredBy: z.enum(['window', ...ROUTE_SETS]),
  /** How often each value occurs among the threats that the other filters match; null where only the vendor could count. */
  facets: z.nullable(threatFacetsSchema),
  /** How the search was understood, such as `"lock bit" and acme`; null without a search. */
  understoodAs: z.nullable(z.string()),
  /** Records of this page that could not be read. */
  unreadable: z.int(),
  freshness: freshnessSchema,
})
export type ThreatList = z.infer<typeof threatListSchema>

/** Answer of `GET /bff/threats/:id`. */
export const threatAnswerSchema = z.object({ threat: threatDetailSchema, freshness: freshnessSchema })
export type ThreatAnswer = z.infer<typeof threatAnswerSchema>

export const RELATIONS = ['actor', 'victim', 'country'] as const
export const relationSchema = z.enum(RELATIONS)
export type Relation = z.infer<typeof relationSchema>

/** Answer of `GET /bff/threats/:id/related`: a group for each relation that the record has a value for. */
export const relatedThreatsSchema = z.object({
  groups: z.array(
    z.object({
      relation: relationSchema,
      /** The value that is shared: an actor's name, an organisation's name, an alpha-2 code. */
      value: z.string(),
      threats: z.array(threatSchema),
      /** Why the group is empty though there may be such threats; null when it is simply complete. */
      unavailable: z.nullable(z.string()),
    }),
  ),
  freshness: freshnessSchema,
})
export type RelatedThreats = z.infer<typeof relatedThreatsSchema>

export const threatParamsSchema = z.object({ id: threatIdSchema })
/** Query of `GET /bff/threats/:id` and of its evidence pictures. */
export const threatQuerySchema = z.object({ set: z.optional(routeSetSchema) })
