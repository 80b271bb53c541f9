import * as z from 'zod/mini'
import { concernSchema } from '#contract/bff/list-match.ts'

/** An entry of a list that a threat matches, and that the destination may know. */
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
  /** The words that matched, as the profile has them. */
  matchedWords: z.array(z.string()),
  /** Describes what has changed in a known record; null or absent for a new one. */
  change: z.optional(z.nullable(z.string())),
  /** Claims of one victim have one case. Null or absent where none was known. */
  caseId: z.optional(z.nullable(z.string())),
  /** Says how a case that was sent before has changed, such as `also claimed by qilin`; null or absent for a first claim. */
  news: z.optional(z.nullable(z.string())),
  /** Certain ones first, then critical entries; absent where no list matches. */
  concerns: z.optional(z.array(notifiedConcernSchema)),
  /** Link to it in Lantern: absolute in a message, in the ledger also from where the message's own link begins. */
  link: z.string(),
})
export type NotifiedThreat = z.infer<typeof notifiedThreatSchema>

/** An alert profile that causes messages, as the ledger knows it. `isTeam`: every analyst may read its messages. */
const causeSchema = z.object({ id: z.string(), name: z.string(), isTeam: z.boolean() })
export type Cause = z.infer<typeof causeSchema>

/** The same in a message. A destination that is tested before it is saved has no profile with an id. */
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

/** A case of a digest: its newest claim there, with the highest severity and the lists of all of them. */
const digestCaseSchema = z.extend(notifiedThreatSchema, { claimCount: z.int() })
export type DigestCase = z.infer<typeof digestCaseSchema>

/** A digest in cases, as the feed counts them. The members are those of the digest. */
const digestCasesSchema = z.object({
  count: z.int(),
  previousCount: z.nullable(z.int()),
  /** A case counts once, by the highest severity of its claims. */
  severities: severityCountsSchema,
  concernCount: z.int(),
  newest: z.array(digestCaseSchema),
})
export type DigestCases = z.infer<typeof digestCasesSchema>

/** All that a profile matched in a time. Figures are of claims, except in `cases`. */
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
  /** The most severe first; without those that none has. */
  severities: severityCountsSchema,
  /** Those that concern the receiver first; the most severe, then the newest, ten at most. */
  threats: z.array(notifiedThreatSchema),
  /** Matches that concern the receiver. Absent of digests that an earlier Lantern wrote. */
  concernCount: z._default(z.int(), 0),
  /** Absent of digests that an earlier Lantern wrote. */
  cases: z.optional(digestCasesSchema),
  undelivered: z.array(undeliveredSchema),
  /** Threats that matched while the profile was paused. */
  pausedCount: z.int(),
  /** Threats that were not sent because of a mute of the profile. Absent of digests that an earlier Lantern wrote. */
  mutedCount: z._default(z.int(), 0),
  /** Claims that say nothing new of a case that was sent before. Absent of digests that an earlier Lantern wrote. */
  repeatedCount: z._default(z.int(), 0),
  /** The vendor's list was read up to this time; null if it was read for the whole period. */
  readUpTo: z.nullable(z.iso.datetime()),
  /** Absolute link to exactly these, or to a search that can find others, too. */
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
  /** Why claims may not have been read, as a sentence. Absent if all were read up to the end, or `readUpTo` says how far. */
  staleReason: z.optional(z.string()),
  undelivered: z.array(undeliveredSchema),
  /** When its new claims were published, if it has claims. Those from its end on are in the next one. */
  claims: z.optional(z.object({ since: z.iso.datetime(), until: z.iso.datetime() })),
  /** `12 cases with new claims, 3 overdue`. */
  sum: z.string(),
  parts: z.array(
    z.object({
      /** `Overdue`. */
      title: z.string(),
      /** `3 cases`. */
      figure: z.string(),
      /** All lines, also those without a place here. */
      count: z.int(),
      /** A sentence that takes the place of lines. */
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
    /** Sent by a person who tries the destination. */
    kind: z.literal('test'),
    /** The saved profile that was tested. The ledger shows its name only to those who may see it. */
    causes: z.readonly(z.array(messageCauseSchema)),
    /** Null: it is sent every week. */
    requestedBy: z.nullable(z.string()),
    /** The title of a stored record that the profile matches, which proves that its alerts arrive. */
    proof: z.optional(z.string()),
    /** The lists of the team that name that record. */
    concerns: z.optional(z.array(notifiedConcernSchema)),
    link: z.string(),
  }),
  z.object({
    /** The notice concerns Lantern itself: a refused key, a changed password. */
    kind: z.literal('notice'),
    subject: z.string(),
    text: z.string(),
    link: z.string(),
    /** It is a digest in parts. Lanterns that know none send subject and text, as of any notice, to users alone. */
    report: z.optional(reportSchema),
  }),
])

export type Matches = {
  kind: 'matches'
  /** All that matched, at least one. */
  causes: readonly MessageCause[]
  /** The most severe, then the newest, five at most. */
  threats: NotifiedThreat[]
  /** All pages, if the channel sends more than one. A page stays when all its threats are left out. */
  pages?: NotifiedThreat[][]
  /** The number of all matches. */
  count: number
  criticalCount: number
  /** Absolute link to exactly these. */
  link: string
}

/** A message to one destination, independent of its channel. */
export type Message = Matches | z.infer<typeof contentSchema>
