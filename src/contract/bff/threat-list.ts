import * as z from 'zod/mini'
import { rowIdSchema } from '../id.ts'
import { daySchema, zonedMomentSchema } from '../moment.ts'
import { routeSetSchema } from '../route-set.ts'
import { timeZoneSchema } from '../time-zone.ts'
import { groupingSchema, groupOrderSchema, listOrderSchema, rowKindSchema } from './arrangement.ts'
import { freshnessSchema } from './freshness.ts'
import { concernsOfThreatSchema } from './list-match.ts'
import { readCarriedText } from './path-segment.ts'
import { threatDetailSchema, threatIdSchema, threatSchema } from './threat.ts'
import { triageFilterSchema } from './triage-filter.ts'

const TEXT_MAX_LENGTH = 512
/** Longest search, in characters. docs/using/query.md describes its language. */
export const SEARCH_MAX_LENGTH = 2_000
/** Room for the longest of ids, in any script. */
export const CURSOR_MAX_LENGTH = 6_144
/** Most values of one name in a filter. */
export const VALUES_MAX_COUNT = 32
const INTERESTS_MAX_COUNT = 50
/** Most groups that an address names as closed. Some proxies refuse longer addresses. */
export const NAMED_GROUPS_MAX_COUNT = 100

export const filterValueSchema = z.string().check(z.minLength(1), z.maxLength(TEXT_MAX_LENGTH))
/** Empty where a threat has no value. */
const groupKeySchema = z.string().check(z.maxLength(TEXT_MAX_LENGTH))
const valuesSchema = z.array(filterValueSchema).check(z.maxLength(VALUES_MAX_COUNT))

/**
 * Countries or industries of the user's own, as many as a profile holds. A function, which leaves nothing in the browser: it
 * reads no queries.
 */
export function createInterestsSchema() {
  return z.optional(z.array(filterValueSchema).check(z.maxLength(INTERESTS_MAX_COUNT)))
}

/** How many days up to now each range holds, today among them. */
export const WITHIN_DAYS = { '1d': 1, '7d': 7, '30d': 30 } as const
/** `undated`: those that give no date that can be read. */
const withinSchema = z.enum(['1d', '7d', '30d', 'undated'])
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
  from: z.optional(daySchema),
  /** Last day, in the reader's time zone. */
  to: z.optional(daySchema),
  /** First moment, ISO 8601 with an offset: beside the days, for queries such as 'the last 24 hours'. */
  since: z.optional(zonedMomentSchema),
  /** The first moment after the query's time. */
  until: z.optional(zonedMomentSchema),
  /** A search in Lantern's query language. */
  q: z.optional(z.string().check(z.minLength(1), z.maxLength(SEARCH_MAX_LENGTH))),
  /** By what the team has done with them. */
  triage: z.optional(triageFilterSchema),
})
export type ThreatFilter = z.infer<typeof threatFilterSchema>

/** The range up to now, unless days are named. */
export function withinOf({ within, from, to }: ThreatFilter): Within | undefined {
  return from === undefined && to === undefined ? within : undefined
}

/** Returns true if the time zone decides which threats match. */
export function hasDays({ within, from, to, q = '' }: ThreatFilter): boolean {
  return (within ?? from ?? to) !== undefined || /(after|before|on|since|date):/i.test(q)
}

export const threatFilterNameSchema = z.keyof(threatFilterSchema)
export type ThreatFilterName = z.infer<typeof threatFilterNameSchema>

/** Query of `GET /bff/threats`. Lists repeat their name: `country=DE&country=FR`. */
export const threatListQuerySchema = z.extend(threatFilterSchema, {
  ...listOrderSchema.shape,
  /** A row for each claim unless given. A group has a row of its own for a case that other groups have as well. */
  rows: z.optional(rowKindSchema),
  /** Keys of groups whose threats are left out. */
  closed: z.optional(z.array(groupKeySchema).check(z.maxLength(NAMED_GROUPS_MAX_COUNT))),
  /** IANA name of the zone that `within`, `from` and `to` are days of. */
  timeZone: timeZoneSchema,
  cursor: z.optional(z.string().check(z.maxLength(CURSOR_MAX_LENGTH))),
})
export type ThreatListQuery = z.infer<typeof threatListQuerySchema>

const facetSchema = z.array(z.object({ value: z.string(), count: z.int() }))

/** Filters by a value that records have. Each has a facet. Their order is stored nowhere. */
export const FACET_NAMES = ['category', 'country', 'actor', 'industry', 'severity'] as const
export type FacetName = (typeof FACET_NAMES)[number]

/** Makes a record of one member for each facet. */
export function byFacet<T>(of: (name: FacetName) => T): Record<FacetName, T> {
  return {
    category: of('category'),
    country: of('country'),
    actor: of('actor'),
    industry: of('industry'),
    severity: of('severity'),
  }
}

/** Most frequent first, at most 100 values each; countries by alpha-2 code. Counts are as exact as the total. */
export const threatFacetsSchema = z.object(byFacet(() => facetSchema))
export type ThreatFacets = z.infer<typeof threatFacetsSchema>

export const facetParamsSchema = z.object({ name: z.enum(FACET_NAMES) })

/** Query of `GET /bff/facets/:name`: the list's, without its page. */
export const facetQuerySchema = z.extend(threatFilterSchema, {
  timeZone: timeZoneSchema,
  /** A part of the values, whatever its letter case and accents. */
  text: z.optional(filterValueSchema),
})
export type FacetQuery = z.infer<typeof facetQuerySchema>

/** How often each value of one name occurs among the threats that the filters of other names match. */
export const facetAnswerSchema = z.object({
  /** Most frequent first. */
  values: facetSchema,
  /** How many values there are beyond these: a text narrows them. */
  more: z.int(),
  /** False while stored threats are still being read in: a value may occur more often, and others may. */
  isExact: z.boolean(),
})
export type FacetAnswer = z.infer<typeof facetAnswerSchema>

/** Query of `GET /bff/groups/:name`: the list's, without its page and the order of threats in a group. */
export const groupQuerySchema = z.extend(threatFilterSchema, {
  timeZone: timeZoneSchema,
  groupOrder: z.optional(groupOrderSchema),
  /** The groups count claims unless given. */
  rows: z.optional(rowKindSchema),
})
export type GroupQuery = z.infer<typeof groupQuerySchema>
export const groupParamsSchema = z.object({ name: groupingSchema })

/** Answer of `GET /bff/groups/:name`: the groups of a list, in its order. */
export const groupAnswerSchema = z.object({
  groups: z.array(
    z.object({
      /** As in the list's `groupKeys`: a day in the reader's zone, an alpha-2 code, a name; empty where there is no value. */
      key: z.string(),
      /** The name as one of its threats writes it; of a country its English name, of a day the key. */
      label: z.string(),
      count: z.int(),
    }),
  ),
  /** How many groups there are beyond these. */
  more: z.int(),
  /** False while stored threats are still being read in: a group may be larger, and others may be there. */
  isExact: z.boolean(),
})
export type GroupAnswer = z.infer<typeof groupAnswerSchema>

/** The case that a row stands for, with all its stored claims, whatever the filter. */
const listedCaseSchema = z.object({
  id: rowIdSchema,
  claimCount: z.int(),
  /** How many actors claim the victim. */
  actorCount: z.int(),
})
export type ListedCase = z.infer<typeof listedCaseSchema>

/** `foundIn`: the threat matches the search by its full text only, which the list does not carry. */
export const listedThreatSchema = z.extend(threatSchema, {
  foundIn: z.optional(z.literal('fullText')),
  /** In lists of cases, where the threat is not the only claim. */
  case: z.optional(listedCaseSchema),
  concerns: concernsOfThreatSchema,
})
export type ListedThreat = z.infer<typeof listedThreatSchema>
/** Fields of a threat that a filter or a search can name. */
export const PARTIAL_FIELDS = [
  'actor',
  'victim',
  'country',
  'category',
  'severity',
  'industry',
  'domain',
  'source',
  'analysis',
  'evidence',
] as const
const partialFieldSchema = z.object({
  field: z.enum(PARTIAL_FIELDS),
  /** How many stored threats have it. */
  threats: z.int(),
  /** How many are stored. */
  of: z.int(),
})
export type PartialField = z.infer<typeof partialFieldSchema>

/** Answer of `GET /bff/threats`, newest first unless the query says otherwise. */
export const threatListSchema = z.object({
  threats: z.array(listedThreatSchema),
  /** Group of each threat in the same order; absent if the list is not grouped. */
  groupKeys: z.optional(z.array(z.string())),
  /** Opaque; null on the last page. */
  nextCursor: z.nullable(z.string()),
  /** On the last page, why the list ends here though there may be more, for a person; absent where it simply ends. */
  endsEarly: z.optional(z.string()),
  /** How many stored threats the filters match in all. */
  total: z.int(),
  /** In lists of cases, how many cases these threats are claims of. */
  cases: z.optional(z.int()),
  /** False while threats of its time are still being read in: the totals and the facets are then of what is stored so far, at least. */
  isTotalExact: z.boolean(),
  /** How often each value occurs among the threats that the other filters match. */
  facets: threatFacetsSchema,
  /** How the search was understood, such as `"lock bit" and acme`; null without a search. */
  understoodAs: z.nullable(z.string()),
  /** How many of these cases, or of the threats, have no date: they stand at the end. */
  undated: z.int(),
  /** Fields that the filters use and that the vendor gives for part of the stored threats only. */
  partialFields: z.array(partialFieldSchema),
  freshness: freshnessSchema,
})
export type ThreatList = z.infer<typeof threatListSchema>

/** Why members of a record may be absent though the vendor has them. */
export const missingPartsSchema = z.object({
  /** The vendor is being queried, could not be queried or did not answer, or no longer has the record. */
  state: z.enum(['reading', 'unavailable', 'gone']),
  /** Reason that follows 'because', for a person. */
  because: z.string(),
})
export type MissingParts = z.infer<typeof missingPartsSchema>

/** Answer of `GET /bff/threats/:id`. */
export const threatAnswerSchema = z.object({
  threat: z.extend(threatDetailSchema, { concerns: concernsOfThreatSchema }),
  freshness: freshnessSchema,
  /** Absent where every route that may have the record was queried, so that missing parts were not given. */
  missing: z.optional(missingPartsSchema),
})
export type ThreatAnswer = z.infer<typeof threatAnswerSchema>

/** Answer of `GET /bff/threats/:id/stored`. */
export const storedThreatAnswerSchema = z.nullable(threatAnswerSchema)
export type StoredThreatAnswer = z.infer<typeof storedThreatAnswerSchema>

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
      threats: z.array(z.extend(threatSchema, { concerns: concernsOfThreatSchema })),
    }),
  ),
  freshness: freshnessSchema,
})
export type RelatedThreats = z.infer<typeof relatedThreatsSchema>

export const threatParamsSchema = z.object({
  id: z.pipe(z.pipe(z.string(), z.transform(readCarriedText)), threatIdSchema),
})
/** Query of `GET /bff/threats/:id` and of its evidence pictures. */
export const threatQuerySchema = z.object({ set: z.optional(routeSetSchema) })

/** Query of `GET /bff/new-threats`: the list's filter, and the change that the list has taken into account. */
export const newThreatsQuerySchema = z.extend(threatFilterSchema, {
  timeZone: timeZoneSchema,
  after: z.pipe(z.string().check(z.regex(/^\d{1,15}$/, 'must be a whole number')), z.transform(Number)),
})
export type NewThreatsQuery = z.infer<typeof newThreatsQuerySchema>

/** Answer of `GET /bff/new-threats`. */
export const newThreatsSchema = z.object({
  /** Only records that were new at the vendor, not older ones that were read later. */
  newThreats: z.int(),
  /** False where there may be more. */
  isWhole: z.boolean(),
})
export type NewThreats = z.infer<typeof newThreatsSchema>
