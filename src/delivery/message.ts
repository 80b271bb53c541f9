import * as z from 'zod/mini'
import { concernSchema } from '#contract/bff/list-match.ts'

/** An entry of a list that a threat matches. The destination may know it. */
const notifiedConcernSchema = z.pick(concernSchema, {
  kind: true,
  listName: true,
  entryName: true,
  certainty: true,
  rule: true,
  text: true,
})

/** A threat in a message, as the ledger stores it. All text is the vendor's, untrusted and not yet defanged. */
export const notifiedThreatSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** One of the contract's severities; null if the vendor reports none. */
  severity: z.nullable(z.string()),
  category: z.nullable(z.string()),
  actor: z.nullable(z.string()),
  victim: z.nullable(z.string()),
  /** Names of countries. */
  countries: z.array(z.string()),
  /** ISO 8601, or null where the vendor gives no time. */
  publishedAt: z.nullable(z.string()),
  /** Keywords of the profile that matched, as the profile spells them. */
  matchedWords: z.array(z.string()),
  /** Describes what has changed in a known record; null or absent for a new one. */
  change: z.optional(z.nullable(z.string())),
  /** Id of the case, which holds all claims of one victim. Null or absent if unknown. */
  caseId: z.optional(z.nullable(z.string())),
  /** Says how a case that was sent before has changed, such as `also claimed by qilin`; null or absent for a first claim. */
  news: z.optional(z.nullable(z.string())),
  /** Certain matches first, then critical entries. Absent if no list matches. */
  concerns: z.optional(z.array(notifiedConcernSchema)),
  /**
   * Link to the threat in Lantern. It is absolute in a message. In the ledger it can also be relative to the message's
   * own link.
   */
  link: z.string(),
})
export type NotifiedThreat = z.infer<typeof notifiedThreatSchema>

/** An alert profile that causes messages, as the ledger knows it. `isTeam`: every analyst may read its messages. */
const causeSchema = z.object({ id: z.string(), name: z.string(), isTeam: z.boolean() })
export type Cause = z.infer<typeof causeSchema>

/** An alert profile in a message. The id is absent if the profile was tested before it was saved. */
export const messageCauseSchema = z.extend(z.partial(causeSchema), { name: z.string() })
export type MessageCause = z.infer<typeof messageCauseSchema>

/**
 * Messages of a profile that failed, or may not have arrived, by masked destination. The reason is the destination's last
 * answer, or the failure; its text is untrusted.
 */
export const undeliveredSchema = z.object({
  destination: z.string(),
  state: z.string(),
  count: z.int(),
  reason: z.string(),
})

const severityCountsSchema = z.array(z.object({ severity: z.nullable(z.string()), count: z.int() }))

/**
 * A case of a digest, represented by its newest claim there. It has the highest severity and all lists of its claims.
 */
const digestCaseSchema = z.extend(notifiedThreatSchema, { claimCount: z.int() })
export type DigestCase = z.infer<typeof digestCaseSchema>

/** The counts of a digest by case, as in the feed. The members have the meaning of the digest's own. */
const digestCasesSchema = z.object({
  count: z.int(),
  previousCount: z.nullable(z.int()),
  /** Each case counts once, with the highest severity of its claims. */
  severities: severityCountsSchema,
  concernCount: z.int(),
  newest: z.array(digestCaseSchema),
})
export type DigestCases = z.infer<typeof digestCasesSchema>

/** All matches of a profile in a period. Counts are of claims, except in `cases`. */
const digestSchema = z.object({
  kind: z.literal('digest'),
  causes: z.array(causeSchema),
  /** ISO 8601: from `since` on, before `until`. */
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  timeZone: z.string(),
  count: z.int(),
  /** Counts the period of the same length before; null if the profile was not evaluated then. */
  previousCount: z.nullable(z.int()),
  /** Counts by severity, the most severe first. Severities without matches are absent. */
  severities: severityCountsSchema,
  /** At most ten: matches of the receiver's lists first, then by severity, then the newest. */
  threats: z.array(notifiedThreatSchema),
  /** Number of matches of the receiver's lists. Absent in digests from an earlier version of Lantern. */
  concernCount: z._default(z.int(), 0),
  /** Absent in digests from an earlier version of Lantern. */
  cases: z.optional(digestCasesSchema),
  undelivered: z.array(undeliveredSchema),
  /** Threats that matched while the profile was paused. */
  pausedCount: z.int(),
  /** Threats that were not sent because of a mute. Absent in digests from an earlier version of Lantern. */
  mutedCount: z._default(z.int(), 0),
  /**
   * Claims that were not sent because they add no fact to a case that was sent. Absent in digests from an earlier
   * version of Lantern.
   */
  repeatedCount: z._default(z.int(), 0),
  /** The vendor's list was read up to this time; null if it was read for the whole period. */
  readUpTo: z.nullable(z.iso.datetime()),
  /** Absolute link to exactly these threats, or to a search that may also find others. */
  link: z.string(),
  isLinkExact: z._default(z.boolean(), true),
})
export type Digest = z.infer<typeof digestSchema>

/** A digest in parts, such as the Shift page. All text in it is untrusted, except labels and sentences of Lantern. */
const reportSchema = z.object({
  causes: z.array(causeSchema),
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  timeZone: z.string(),
  readUpTo: z.nullable(z.iso.datetime()),
  /**
   * A sentence that says why claims may be missing. Absent if all claims were read, or if `readUpTo` shows the limit.
   */
  staleReason: z.optional(z.string()),
  undelivered: z.array(undeliveredSchema),
  /**
   * The period in which the new claims were published. The next digest has the claims from its end on. Absent if there
   * are none.
   */
  claims: z.optional(z.object({ since: z.iso.datetime(), until: z.iso.datetime() })),
  /** For example `12 cases with new claims, 3 overdue`. */
  sum: z.string(),
  parts: z.array(
    z.object({
      /** For example `Overdue`. */
      title: z.string(),
      /** For example `3 cases`. */
      figure: z.string(),
      /** The number of all lines, including those that are not shown. */
      count: z.int(),
      /** A sentence that replaces the lines. */
      empty: z.string(),
      lines: z.array(
        z.object({
          severity: z.nullable(z.string()),
          title: z.string(),
          link: z.string(),
          facts: z.array(z.object({ label: z.string(), value: z.string() })),
        }),
      ),
    }),
  ),
})
export type Report = z.infer<typeof reportSchema>

/** Content that the ledger stores for messages other than matches. */
export const contentSchema = z.discriminatedUnion('kind', [
  digestSchema,
  z.object({
    /** A person sends it to test the destination. */
    kind: z.literal('test'),
    /** The saved profile that was tested. The ledger shows its name only to users who may see the profile. */
    causes: z.readonly(z.array(messageCauseSchema)),
    /** Null for the weekly test. */
    requestedBy: z.nullable(z.string()),
    /** The title of a stored record that the profile matches. The test shows how its alert arrives. */
    proof: z.optional(z.string()),
    /** The team's lists that contain a match for that record. */
    concerns: z.optional(z.array(notifiedConcernSchema)),
    link: z.string(),
  }),
  z.object({
    /** The notice concerns Lantern itself: a refused key, a changed password. */
    kind: z.literal('notice'),
    subject: z.string(),
    text: z.string(),
    link: z.string(),
    /**
     * A digest in sections. Earlier versions of Lantern ignore it and send subject and text as a notice, to users only.
     */
    report: z.optional(reportSchema),
  }),
])

export type Matches = {
  kind: 'matches'
  /** All matches, at least one. */
  causes: readonly MessageCause[]
  /** At most five, by severity, then the newest. */
  threats: NotifiedThreat[]
  /** All pages, if the channel sends more than one. A page remains even if all its threats are excluded later. */
  pages?: NotifiedThreat[][]
  /** The number of all matches. */
  count: number
  criticalCount: number
  /** Absolute link to exactly these. */
  link: string
}

/** A message to one destination, independent of its channel. */
export type Message = Matches | z.infer<typeof contentSchema>
