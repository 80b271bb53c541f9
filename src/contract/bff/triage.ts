import * as z from 'zod/mini'
import { threatIdSchema } from './threat.ts'

/** Threats that one request may ask about or change. */
export const TRIAGE_MAX_COUNT = 500
export const TRIAGE_TEXT_MAX_LENGTH = 2_000

export const dismissReasonSchema = z.enum(['not_relevant', 'duplicate', 'false_claim', 'handled', 'other'])
export type DismissReason = z.infer<typeof dismissReasonSchema>

/** When somebody of the team did it, and their e-mail at that time. */
const markSchema = z.object({ at: z.iso.datetime(), who: z.string() })

/** What the team has done with one threat. */
export const triageStateSchema = z.object({
  id: threatIdSchema,
  read: z.nullable(markSchema),
  starred: z.nullable(markSchema),
  dismissed: z.nullable(z.extend(markSchema, { reason: dismissReasonSchema, text: z.nullable(z.string()) })),
  notes: z.int(),
})
export type TriageState = z.infer<typeof triageStateSchema>

const idsSchema = z.array(threatIdSchema).check(z.minLength(1), z.maxLength(TRIAGE_MAX_COUNT))
const textSchema = z.string().check(
  z.trim(),
  z.minLength(1),
  z.maxLength(TRIAGE_TEXT_MAX_LENGTH),
  // No database holds them.
  z.refine((text) => text.isWellFormed() && !text.includes('\0'), 'must not hold NUL or half a character'),
)

/** Body of `POST /bff/triage/states`: a question, too long for an address. */
export const triageQuestionSchema = z.strictObject({ ids: idsSchema })

/** Answer of `POST /bff/triage/states`: only threats that something was done with. */
export const triageStatesSchema = z.object({ states: z.array(triageStateSchema) })
export type TriageStates = z.infer<typeof triageStatesSchema>

/** Body of `POST /bff/triage` (analysts). */
export const triageActionSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.enum(['read', 'unread', 'star', 'unstar', 'restore']), ids: idsSchema }),
  z.strictObject({
    action: z.literal('dismiss'),
    ids: idsSchema,
    reason: dismissReasonSchema,
    text: z._default(z.nullable(textSchema), null),
  }),
  z.strictObject({ action: z.literal('note'), ids: idsSchema, text: textSchema }),
])
export type TriageAction = z.infer<typeof triageActionSchema>

/** Answer of `POST /bff/triage` and `POST /bff/triage/undo`: the threats that have changed, as they are now. */
export const triageChangeSchema = z.object({
  states: z.array(triageStateSchema),
  /** For `POST /bff/triage/undo`; null when nothing has changed. */
  undoId: z.nullable(z.string()),
})
export type TriageChange = z.infer<typeof triageChangeSchema>

/** Body of `POST /bff/triage/undo` (analysts). */
export const triageUndoSchema = z.strictObject({ undoId: z.string().check(z.regex(/^\d{1,18}$/)) })

export const triageEventActionSchema = z.enum([
  'read',
  'unread',
  'star',
  'unstar',
  'dismiss',
  'restore',
  'note',
  'undo',
])
export type TriageEventAction = z.infer<typeof triageEventActionSchema>

/** Answer of `GET /bff/triage/:id/history`, newest first. What was undone stays, and is marked. */
export const triageHistorySchema = z.object({
  events: z.array(
    z.object({
      id: z.string(),
      at: z.iso.datetime(),
      who: z.string(),
      action: triageEventActionSchema,
      reason: z.nullable(dismissReasonSchema),
      text: z.nullable(z.string()),
      isUndone: z.boolean(),
    }),
  ),
})
export type TriageHistory = z.infer<typeof triageHistorySchema>
