import * as z from 'zod/mini'
import { idSchema } from '../id.ts'
import { severitySchema } from '../severity.ts'
import { threatIdSchema } from './threat.ts'

// Apart from the rest of triage: every first visit of the feed carries it.

export const closeReasonSchema = z.enum(['not_relevant', 'duplicate', 'false_claim', 'handled', 'other'])
export type CloseReason = z.infer<typeof closeReasonSchema>

/**
 * When somebody of the team did it, and their name, with the email where another account has the same. The email at that
 * time for a person who is gone. Third-party text.
 */
export const markSchema = z.object({ at: z.iso.datetime(), who: z.string() })

/** Who deals with a threat: `who` has assigned it, at the time `at`. */
export const ownerSchema = z.extend(markSchema, {
  ownerId: idSchema,
  /** As above. */
  name: z.string(),
  /** The reader is the owner. */
  isMe: z.boolean(),
  /** False if the account is disabled, or a viewer's by now. */
  isActive: z._default(z.boolean(), true),
})

/** When a case is due, and by which of its open claims: so many `hours` after `knownAt`, for its severity. */
export const dueSchema = z.object({
  at: z.iso.datetime(),
  knownAt: z.iso.datetime(),
  severity: severitySchema,
  hours: z.int(),
})
export type Due = z.infer<typeof dueSchema>

/** The team's state of one threat. */
export const triageStateSchema = z.object({
  id: threatIdSchema,
  read: z.nullable(markSchema),
  starred: z.nullable(markSchema),
  closed: z.nullable(z.extend(markSchema, { reason: closeReasonSchema, text: z.nullable(z.string()) })),
  owner: z.nullable(ownerSchema),
  notes: z.int(),
  /** Absent if the threat is closed, or its case has no due time. */
  due: z.optional(dueSchema),
  /**
   * The facts that unread claims add to a case of which the team has read others: "now critical, data published". Untrusted
   * text: it names actors and dates. Absent without any.
   */
  news: z.optional(z.string()),
})
export type TriageState = z.infer<typeof triageStateSchema>

/** Answer of `POST /bff/triage/states`: only threats that something was done with, those that are due, and those with news. */
export const triageStatesSchema = z.object({ states: z.array(triageStateSchema) })
export type TriageStates = z.infer<typeof triageStatesSchema>

const REASONS: ReadonlyMap<string, string> = new Map([
  ['not_relevant', 'Not relevant'],
  ['duplicate', 'Duplicate'],
  ['false_claim', 'False claim'],
  ['handled', 'Handled'],
  ['other', 'Other reason'],
])

/** Why somebody closed a threat. */
export function closeReason(reason: string): string {
  return REASONS.get(reason) ?? reason
}
