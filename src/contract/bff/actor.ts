import * as z from 'zod/mini'
import { timeZoneSchema } from '../time-zone.ts'
import { rowKindSchema } from './arrangement.ts'
import { freshnessSchema } from './freshness.ts'
import { ACTOR_NAME_MAX_LENGTH } from './path-segment.ts'
import { periodQuerySchema, periodSchema } from './period.ts'
import { otherFieldSchema } from './threat.ts'
import { createInterestsSchema } from './threat-list.ts'
import { comparisonSchema, countedValuesSchema, coveredDaysSchema } from './trend.ts'

/** An answer holds this many actors; a search finds the others. */
export const ACTORS_MAX_COUNT = 500

/** The vendor's own entry of an actor. Absent is null or an empty list; nothing is invented. All text is third-party text. */
export const listedActorSchema = z.object({
  name: z.string(),
  /** Records that name the actor, in whatever time the vendor counts. */
  mentions: z.nullable(z.int()),
  /** ISO 8601 UTC. */
  latestObservedAt: z.nullable(z.iso.datetime()),
  categories: z.array(z.string()),
  otherFields: z.array(otherFieldSchema),
})
export type ListedActor = z.infer<typeof listedActorSchema>

/** The vendor's own list, which costs a call and is read once a day: when that was, or why it is not there. */
export const actorListingSchema = z.object({
  fetchedAt: z.nullable(z.iso.datetime()),
  absent: z.nullable(z.string()),
})
export type ActorListing = z.infer<typeof actorListingSchema>

const actorFiguresSchema = z.object({
  name: z.string(),
  /** True if stored records name the actor. Otherwise all figures are zero or null. */
  isHeld: z.boolean(),
  /** Records of the period that name the actor; null while nothing is stored. */
  mentions: z.nullable(z.int()),
  /** Cases of these records. With `rows=cases` only, as all other figures in cases; then the order is by them. */
  cases: z.optional(z.nullable(z.int())),
  /** Compares the period so far with the same part of the previous one. Null unless both are stored completely. */
  compared: z.nullable(comparisonSchema),
  /** Figures of the last 7 days. Null unless they are stored; `compared` likewise. */
  week: z.nullable(
    z.object({ count: z.int(), cases: z.optional(z.int()), compared: z.nullable(comparisonSchema) }),
  ),
  /** First time within the stored range; null for an actor without stored records. */
  firstObservedAt: z.nullable(z.iso.datetime()),
  /** The later one of the stored threats' and the vendor's. */
  latestObservedAt: z.nullable(z.iso.datetime()),
  /** Mentions in the order of the answer's days; null is not known. */
  counts: z.array(z.nullable(z.int())),
  /** Cases by the day of their first claim within the period. */
  caseCounts: z.optional(z.array(z.nullable(z.int()))),
  /** The vendor's own count of mentions; null where it reports none. */
  listedMentions: z.nullable(z.int()),
  /**
   * Records of the period that name the actor, one of the query's industries and one of its countries. Null unless the query
   * names both.
   */
  concerns: z.nullable(z.int()),
  concernCases: z.optional(z.nullable(z.int())),
})

/** One actor of the list. */
export const actorSchema = z.extend(actorFiguresSchema, {
  /** Most frequent first. */
  categories: z.array(z.string()),
  /** The most targeted, alpha-2, three at most. */
  countries: z.array(z.string()),
  industries: z.array(z.string()),
})
export type Actor = z.infer<typeof actorSchema>

/** `rising`: more in the last 7 days, today so far, than in the same part of the 7 before. `new`: first seen in the last 7. `concerning`: with `concerns`. */
export const ACTOR_TABS = ['all', 'rising', 'new', 'concerning'] as const
/** `listed`: the vendor's own count; `change`: of the last 7 days, today so far, against the same part of the 7 before. */
export const ACTOR_SORTS = ['mentions', 'listed', 'change', 'latest', 'name'] as const

/** Query of `GET /bff/actors/:name`. */
export const actorQuerySchema = /* @__PURE__ */ z.object({
  /** The user's own countries (alpha-2) and industries. */
  country: /* @__PURE__ */ createInterestsSchema(),
  industry: /* @__PURE__ */ createInterestsSchema(),
  timeZone: timeZoneSchema,
  period: periodQuerySchema,
  /** Counts claims unless given; `cases` counts both. */
  rows: /* @__PURE__ */ z.optional(rowKindSchema),
})
export type ActorQuery = z.infer<typeof actorQuerySchema>

/** Query of `GET /bff/actors`. */
// Pure, so that the browser gets none of it.
export const actorListQuerySchema = /* @__PURE__ */ z.extend(actorQuerySchema, {
  /** Parts of the name or of an alias, whatever their letter case, accents and spaces. */
  q: z.optional(z.string().check(z.maxLength(200))),
  tab: z._default(z.enum(ACTOR_TABS), 'all'),
  sort: z._default(z.enum(ACTOR_SORTS), 'mentions'),
  /** `natural`: the greatest or newest first, names from A. */
  order: z._default(z.enum(['natural', 'reverse']), 'natural'),
})
export type ActorListQuery = z.infer<typeof actorListQuerySchema>

/** Answer of `GET /bff/actors`: from stored threats and the vendor's list as it was last read. */
export const actorListSchema = z.object({
  actors: z.array(actorSchema).check(z.maxLength(ACTORS_MAX_COUNT)),
  /** How many there are in all, beyond the ones listed. */
  total: z.int(),
  /** How many of the search each tab has; null where nobody knows. */
  tabs: z.object({
    all: z.int(),
    rising: z.nullable(z.int()),
    new: z.nullable(z.int()),
    concerning: z.nullable(z.int()),
  }),
  days: coveredDaysSchema,
  period: periodSchema,
  listing: actorListingSchema,
  freshness: freshnessSchema,
})
export type ActorList = z.infer<typeof actorListSchema>

/** An actor's name in a path. */
export const actorNameSchema = z
  .string()
  .check(z.minLength(1), z.maxLength(ACTOR_NAME_MAX_LENGTH), z.regex(/^[^\0]*$/))

/** Answer of `GET /bff/actors/:name`. Counts are of the period, most frequent first. */
export const actorAnswerSchema = z.object({
  actor: z.extend(actorFiguresSchema, {
    aliases: z.array(z.string()),
    categories: countedValuesSchema,
    /** Alpha-2. */
    countries: countedValuesSchema,
    industries: countedValuesSchema,
    severities: countedValuesSchema,
    victims: z.int(),
    /** Categories that only the vendor's own entry names. */
    listedCategories: z.array(z.string()),
    otherFields: z.array(otherFieldSchema),
  }),
  days: coveredDaysSchema,
  period: periodSchema,
  listing: actorListingSchema,
  freshness: freshnessSchema,
})
export type ActorAnswer = z.infer<typeof actorAnswerSchema>
export type ActorDetail = ActorAnswer['actor']
