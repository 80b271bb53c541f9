import * as z from 'zod/mini'
import { textSchema } from './alert.ts'

export const MUTE_REASON_MAX_LENGTH = 200
export const MUTES_MAX_COUNT = 100
const MUTE_NAME_MAX_LENGTH = 1_000

export const muteKindSchema = z.enum(['victim', 'actor'])
export type MuteKind = z.infer<typeof muteKindSchema>

/** Body of `POST /bff/alert-profiles/:id/mutes` (who may change the profile). The same name again changes its mute. */
export const muteDraftSchema = z.strictObject({
  kind: muteKindSchema,
  name: textSchema(MUTE_NAME_MAX_LENGTH),
  /** Null: until somebody removes it. */
  days: z.nullable(z.literal([1, 14, 90])),
  reason: textSchema(MUTE_REASON_MAX_LENGTH),
})
export type MuteDraft = z.infer<typeof muteDraftSchema>

/** The profile does not notify of matches whose victim, or actor, is this one. The name is third-party text. */
export const muteSchema = z.object({
  id: z.uuid(),
  kind: muteKindSchema,
  name: z.string(),
  reason: z.string(),
  /** Null: until somebody removes it. */
  until: z.nullable(z.iso.datetime()),
  /** Null once that account is erased. */
  mutedBy: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  /** Matches that were not sent because of it. */
  mutedCount: z.int(),
})
export type Mute = z.infer<typeof muteSchema>

/** Answer of `GET /bff/alert-profiles/:id/mutes`: those that hold, newest first. */
export const muteListSchema = z.object({ mutes: z.array(muteSchema), canChange: z.boolean() })
