import * as z from 'zod/mini'
import { deliverySummarySchema } from '../delivery.ts'
import { distinctMailboxes } from '../mailbox.ts'
import { timeZoneSchema } from '../time-zone.ts'
import { conditionSchema } from './condition.ts'
import { testSentSchema } from './delivery-ledger.ts'
import { freshnessSchema } from './freshness.ts'
import { concernsOfThreatSchema } from './list-match.ts'
import { problemCodeSchema } from './problem.ts'
import { webAddressFault } from './recipient.ts'
import { threatSchema } from './threat.ts'
import { threatFilterSchema } from './threat-list.ts'
import { coveredDaysSchema, trendDaySchema } from './trend.ts'

// Bounds of a draft for the builder and the BFF. The vendor may have stricter ones and reports them by a 400.
export const ALERT_NAME_MAX_LENGTH = 200
export const ALERT_KEYWORD_MAX_LENGTH = 200
export const ALERT_KEYWORDS_MAX_COUNT = 100
export const ALERT_EMAILS_MAX_COUNT = 50

/** A destination as it is shown: never the whole address of a webhook, which is a secret. */
export const alertDestinationsSchema = z.object({
  /** Masked: `a…@corp.example`. */
  email: z.array(z.string()),
  /** Masked: host and last four characters; null where there is none. */
  slack: z.nullable(z.string()),
  teams: z.nullable(z.string()),
})
export type AlertDestinations = z.infer<typeof alertDestinationsSchema>

/** Query of `GET` and `POST /bff/alerts`, and of `GET /bff/alerts/:id/matches`. */
export const alertQuerySchema = z.object({
  /** Zone of the 30 days in which matches are counted. */
  timeZone: timeZoneSchema,
})

/** Matches of a profile in the stored part of the last 30 days, in the user's zone. Null while nothing is stored. */
export const storedMatchesSchema = z.nullable(
  z.object({ matches: z.int(), latestAt: z.nullable(z.iso.datetime()) }),
)

/** One alert profile of the vendor's account. Absent is null or an empty list. All text is third-party text. */
export const alertProfileSchema = z.object({
  id: z.string(),
  name: z.string(),
  keywords: z.array(z.string()),
  categories: z.array(z.string()),
  destinations: alertDestinationsSchema,
  triggeredCount: z.nullable(z.int()),
  createdAt: z.nullable(z.iso.datetime()),
  /** Absent from profiles that an earlier Lantern stored. */
  updatedAt: z._default(z.nullable(z.iso.datetime()), null),
  window: storedMatchesSchema,
})
export type AlertProfile = z.infer<typeof alertProfileSchema>

/** Answer of `GET /bff/alerts`, in the vendor's order. */
export const alertListSchema = z.object({
  profiles: z.array(alertProfileSchema),
  /**
   * Says how messages of the account's profiles go, if Lantern can test, pause, change and delete them; otherwise
   * null.
   */
  extension: z.nullable(
    z.object({
      /** True if a mail server is set up. */
      hasEmail: z.boolean(),
      /** By the profile's id. */
      deliveries: z.record(z.string(), deliverySummarySchema),
    }),
  ),
  /** Entries that could not be read. */
  unreadable: z.int(),
  /** The 30 days in which matches are counted, oldest first. */
  days: coveredDaysSchema,
  freshness: freshnessSchema,
})
export type AlertList = z.infer<typeof alertListSchema>

export const textSchema = (maxLength: number) =>
  z.string().check(
    z.trim(),
    z.minLength(1),
    z.maxLength(maxLength),
    z.refine((text) => text.isWellFormed() && !text.includes('\0'), 'It contains an invalid character.'),
  )
const keywordsSchema = z
  .array(textSchema(ALERT_KEYWORD_MAX_LENGTH))
  .check(z.maxLength(ALERT_KEYWORDS_MAX_COUNT))
const categoriesSchema = z.array(textSchema(ALERT_KEYWORD_MAX_LENGTH)).check(z.maxLength(50))
/** Checks the form of a webhook address only. The server, which knows NOTIFY_HOSTS, checks its host. */
const webhookSchema = z.nullable(
  z.string().check(
    z.refine((text) => webAddressFault(text) === null, {
      error: ({ input }) => webAddressFault(String(input)) ?? undefined,
    }),
  ),
)

/** Body of `POST /bff/alerts` (analysts). Addresses are write-only: they come back masked. */
export const alertDraftSchema = z.strictObject({
  name: textSchema(ALERT_NAME_MAX_LENGTH),
  /** Words or "quoted phrases"; a record matches if it contains any of them. */
  keywords: keywordsSchema.check(z.minLength(1)),
  /** A further condition; none means any category. */
  categories: categoriesSchema,
  email: z
    .array(z.email().check(z.maxLength(254)))
    .check(z.maxLength(ALERT_EMAILS_MAX_COUNT), z.overwrite(distinctMailboxes)),
  slack: webhookSchema,
  teams: webhookSchema,
})
export type AlertDraft = z.infer<typeof alertDraftSchema>

/**
 * Answer of `POST /bff/alerts` (201). `found`: it was sent before, or its answer was lost, and it was found in the list.
 * An unclear end is the problem `alert_unclear`, which says what is known.
 */
export const alertCreatedSchema = z.object({
  profile: alertProfileSchema,
  outcome: z.enum(['created', 'found']),
})
export type AlertCreated = z.infer<typeof alertCreatedSchema>

/** Body of `PUT /bff/alerts/:id` (analysts): what is given changes, answered by 204. A destination that is left out stays. */
export const alertChangeSchema = z.strictObject({
  ...z.partial(alertDraftSchema).shape,
  state: z.optional(z.enum(['active', 'paused'])),
})
export type AlertChange = z.infer<typeof alertChangeSchema>

/** Body of `POST /bff/alerts/test` (analysts): a marked message to a destination that no profile has yet. */
export const alertTestSchema = z.discriminatedUnion('channel', [
  z.strictObject({ channel: z.literal('email'), destination: z.email().check(z.maxLength(254)) }),
  z.strictObject({ channel: z.literal('slack'), destination: z.string().check(z.maxLength(2048)) }),
  z.strictObject({ channel: z.literal('teams'), destination: z.string().check(z.maxLength(2048)) }),
])
export type AlertTest = z.infer<typeof alertTestSchema>

/** Which destination of a profile: `email.0` for its first address. */
export const alertDestinationNameSchema = z.string().check(z.regex(/^(?:email\.\d{1,3}|slack|teams)$/))

/** Answer of whatever tests destinations of profiles, or new ones (202): one for each destination. */
export const alertTestsSentSchema = z.object({ sent: z.array(testSentSchema) })
export type AlertTestsSent = z.infer<typeof alertTestsSentSchema>

/** Body of `POST /bff/alert-profiles/backtest`: any search of the feed, or keywords beside a filter. */
export const backtestQuerySchema = z.strictObject({
  filter: z.strictObject(threatFilterSchema.shape),
  /** Any of them. Each is counted alone. */
  keywords: z.optional(keywordsSchema),
  timeZone: timeZoneSchema,
})
export type BacktestQuery = z.infer<typeof backtestQuerySchema>

/** `common`: in more than a twentieth of the stored threats; `idle`: it matches only what other keywords match as well. */
export const keywordFlagSchema = z.enum([
  'unreadable',
  'duplicate',
  'too_short',
  'common',
  'no_match',
  'idle',
])
export type KeywordFlag = z.infer<typeof keywordFlagSchema>

export const keywordShareSchema = z.object({
  keyword: z.string(),
  /** How it was understood, such as `"lock bit"`; null when it holds no letter and no digit. */
  understoodAs: z.nullable(z.string()),
  matches: z.int(),
  /** Matches that no other keyword has. */
  alone: z.int(),
  flags: z.array(keywordFlagSchema),
})
export type KeywordShare = z.infer<typeof keywordShareSchema>

/**
 * Answer of `POST /bff/alert-profiles/backtest`: what the draft would have matched in the last 30 days. While nothing is
 * stored it is the problem `window_empty`.
 */
export const backtestSchema = z.object({
  matches: z.int(),
  /** Records that were compared. */
  compared: z.int(),
  /** True if full texts were counted, as our own service permits. Otherwise only the fields of lists were. */
  isFullText: z.boolean(),
  /** The last 30 days of the reader's zone, oldest first. */
  days: z.array(trendDaySchema),
  /** In the draft's order; none of a search. */
  keywords: z.array(keywordShareSchema),
  /** Matches of each filter and each part of the search alone, in the same days. Empty for keywords. */
  conditions: z.array(z.omit(conditionSchema, { nearest: true })),
  /** Searches that match fewer, with their exact counts. */
  narrower: z.array(
    z.object({
      /** The added condition with its values. */
      field: z.enum(['severity', 'category', 'country']),
      values: z.array(z.string()),
      filter: threatFilterSchema,
      matches: z.int(),
    }),
  ),
  /** Profiles that match some of the same records, most shared first. */
  overlaps: z.array(z.object({ profileId: z.string(), name: z.string(), shared: z.int(), matches: z.int() })),
  /** Why the overlaps are not known, for a person; null or absent where they are. */
  overlapsUnavailable: z.optional(z.nullable(z.string())),
  /** The newest matches with the keywords that each holds. */
  samples: z.array(
    z.object({
      threat: z.extend(threatSchema, { concerns: concernsOfThreatSchema }),
      keywords: z.array(z.string()),
    }),
  ),
  /** Matches a week to expect, with the range that 8 of 10 weeks should fall in; null with under 3 whole days to go by. */
  forecast: z.nullable(
    z.object({ perWeek: z.number(), low: z.number(), high: z.number(), basedOnDays: z.int() }),
  ),
  /** Matches a week above which a profile is more noise than news. */
  noiseLimitPerWeek: z.int(),
  freshness: freshnessSchema,
})
export type Backtest = z.infer<typeof backtestSchema>

/** Answer of `GET /bff/alerts/:id/matches`: the newest records of the last 30 days that a profile matches, at most 100. */
export const profileMatchesSchema = z.object({
  matches: z.array(z.object({ threat: threatSchema, keywords: z.array(z.string()) })),
  total: z.int(),
  /** The 30 days, oldest first. */
  days: coveredDaysSchema,
  freshness: freshnessSchema,
})
export type ProfileMatches = z.infer<typeof profileMatchesSchema>

/**
 * Answer of `GET /bff/threats/:id/profiles`: for each profile whether it matches this threat, and why or why not. `no_match`:
 * the search of a profile that runs in Lantern does not match.
 */
export const threatProfilesSchema = z.object({
  profiles: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      verdict: z.enum(['matches', 'no_keyword', 'other_category', 'no_match']),
      /** Its keywords that the threat holds, whatever the category. */
      keywords: z.array(z.string()),
      /** The categories that it insists on; empty: any. */
      categories: z.array(z.string()),
      /** Says if the user may mute victims and actors for it; `vendor` if the vendor sends its messages. */
      mute: z.enum(['allowed', 'refused', 'vendor']),
    }),
  ),
  /** Why those of the vendor's account are not among them. */
  vendorProblem: z.nullable(z.object({ code: problemCodeSchema, detail: z.string() })),
  /** Freshness of the profiles in the vendor's account. Null if they cannot be read. */
  freshness: z.nullable(freshnessSchema),
})
export type ThreatProfiles = z.infer<typeof threatProfilesSchema>
