import * as z from 'zod/mini'
import { idSchema, rowIdSchema, VENDOR_ID_MAX_LENGTH } from '../id.ts'
import type { TextRange } from '../visible-text.ts'
import { threatIdSchema } from './threat.ts'
import { closeReasonSchema, markSchema, triageStateSchema } from './triage-state.ts'

/** The most people that one comment can mention. */
export const MENTIONS_MAX_COUNT = 50

/**
 * A person whom a comment mentions: the `@` and the name behind it, from `start` to before `end`, in UTF-16 units of the
 * trimmed text. The account says who is meant, and the text only what the name was.
 */
export const mentionSchema = z.strictObject({
  /** As the database writes it: whoever is erased is found by it. */
  accountId: idSchema.check(z.toLowerCase()),
  start: z.int().check(z.nonnegative()),
  end: z.int().check(z.nonnegative()),
})
export type Mention = z.infer<typeof mentionSchema>

/** A mention with the present name of its account, which is untrusted: people choose their names. */
export const namedMentionSchema = z.object({ start: z.int(), end: z.int(), name: z.string() })
export type NamedMention = z.infer<typeof namedMentionSchema>

/** True if each mention is an `@` and a name in the text, and they are in order and apart. */
export function areMentionsOf(text: string, mentions: readonly TextRange[]): boolean {
  return mentions.every(
    ({ start, end }, at) =>
      start >= (mentions[at - 1]?.end ?? 0) && end > start + 1 && end <= text.length && text[start] === '@',
  )
}

/** Puts each name in the place of its mention. Returns the text and the ranges of the mentions in it. */
export function writeMentions(
  text: string,
  mentions: readonly NamedMention[],
): { text: string; ranges: TextRange[] } {
  const ranges: TextRange[] = []
  let written = ''
  let from = 0
  for (const { start, end, name } of mentions) {
    written += text.slice(from, start)
    ranges.push({ start: written.length, end: written.length + 1 + name.length })
    written += `@${name}`
    from = end
  }
  return { text: written + text.slice(from), ranges }
}

/** Threats that one request may read or change. */
export const TRIAGE_MAX_COUNT = 500
export const TRIAGE_TEXT_MAX_LENGTH = 2_000
const BYTES_OF_CHARACTER = 3
/** Longest body in bytes: the maximum of the longest ids, and room for the other members. */
export const TRIAGE_BODY_MAX_BYTES = TRIAGE_MAX_COUNT * VENDOR_ID_MAX_LENGTH * BYTES_OF_CHARACTER + 64 * 1024

const idsSchema = z.array(threatIdSchema).check(z.minLength(1), z.maxLength(TRIAGE_MAX_COUNT))
const textSchema = z.string().check(
  z.trim(),
  z.minLength(1),
  z.maxLength(TRIAGE_TEXT_MAX_LENGTH),
  // No database holds them.
  z.refine((text) => text.isWellFormed() && !text.includes('\0'), 'must not contain NUL or half a character'),
)

/** Body of `POST /bff/triage/states`: a read, too long for an address. */
export const triageLookupSchema = z.strictObject({ ids: idsSchema })

/** Body of `POST /bff/triage` (analysts). */
export const triageActionSchema = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.enum(['read', 'unread', 'star', 'unstar', 'reopen', 'release']),
    ids: idsSchema,
  }),
  z.strictObject({
    action: z.literal('close'),
    ids: idsSchema,
    reason: closeReasonSchema,
    text: z._default(z.nullable(textSchema), null),
  }),
  /** The owner is an analyst or an admin who can sign in. */
  z.strictObject({ action: z.literal('assign'), ids: idsSchema, ownerId: idSchema }),
  z
    .strictObject({
      action: z.literal('note'),
      ids: idsSchema,
      text: textSchema,
      /** The users whom it mentions, in the order of the text. Each of them is notified once. */
      mentions: z.optional(z.array(mentionSchema).check(z.maxLength(MENTIONS_MAX_COUNT))),
      /** Names this comment: sent again under it, it is not written twice. */
      idempotencyKey: z.optional(idSchema),
    })
    .check(
      z.refine(({ text, mentions = [] }) => areMentionsOf(text, mentions), {
        path: ['mentions'],
        error: 'must be positions of @ and a name in the trimmed text, in order and apart',
      }),
    ),
])
export type TriageAction = z.infer<typeof triageActionSchema>

/** Answer of `GET /bff/triage/owners` (analysts): who can own a case, by name. */
export const ownersSchema = z.object({ owners: z.array(z.object({ id: idSchema, name: z.string() })) })

/** Answer of `POST /bff/triage` and `POST /bff/triage/undo`: the threats that have changed, as they are now. A threat changes with all claims of its case. */
export const triageChangeSchema = z.object({
  states: z.array(triageStateSchema),
  /** How many cases they belong to. */
  caseCount: z.int(),
  /** Somebody else's newest decision that this one has replaced. */
  overtook: z.nullable(markSchema),
  /** For `POST /bff/triage/undo`; null when nothing has changed. */
  undoId: z.nullable(z.string()),
})
export type TriageChange = z.infer<typeof triageChangeSchema>

/** Body of `POST /bff/triage/undo` (analysts). */
export const triageUndoSchema = z.strictObject({ undoId: rowIdSchema })

export const triageEventActionSchema = z.enum([
  'read',
  'unread',
  'star',
  'unstar',
  'close',
  'reopen',
  'assign',
  'release',
  'note',
  'undo',
])
export type TriageEventAction = z.infer<typeof triageEventActionSchema>

/** Answer of `GET /bff/triage/:id/history`, newest first. What was undone stays, and is marked. */
export const triageHistorySchema = z.object({
  events: z.array(
    z.object({
      id: z.string(),
      ...markSchema.shape,
      action: triageEventActionSchema,
      reason: z.nullable(closeReasonSchema),
      /** Name of the person whom it was assigned to; null also for one who is gone. */
      owner: z.nullable(z.string()),
      text: z.nullable(z.string()),
      /** Whom the text mentions. Accounts that were erased are left out. */
      mentions: z._default(z.array(namedMentionSchema), []),
      isUndone: z.boolean(),
    }),
  ),
})
export type TriageHistory = z.infer<typeof triageHistorySchema>
