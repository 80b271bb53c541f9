import * as z from 'zod/mini'
import { idSchema } from '../id.ts'
import { timeZoneNameSchema } from '../time-zone.ts'
import { arrangementSchema } from './arrangement.ts'
import { threatFilterSchema } from './threat-list.ts'

export const VIEW_NAME_MAX_LENGTH = 80

const nameSchema = z.string().check(
  z.trim(),
  z.minLength(1),
  z.maxLength(VIEW_NAME_MAX_LENGTH),
  // No database holds them.
  z.refine((text) => text.isWellFormed() && !text.includes('\0'), 'must not contain NUL or half a character'),
)

/** Content of a saved view. Only analysts can share it. */
export const viewDraftSchema = z.strictObject({
  name: nameSchema,
  filter: z.strictObject(threatFilterSchema.shape),
  arrangement: z.optional(z.strictObject(arrangementSchema.shape)),
  timeZone: timeZoneNameSchema,
  isShared: z.boolean(),
})
export type ViewDraft = z.infer<typeof viewDraftSchema>

/** Body of `POST /bff/views`: the same, named; sent again under its key, it is not saved twice. */
export const newViewSchema = z.extend(viewDraftSchema, { idempotencyKey: z.optional(idSchema) })

/** Body of `PUT /bff/views/:id`: what is given changes. One's own views, and any for admins. */
export const viewChangeSchema = z.partial(viewDraftSchema)
export type ViewChange = z.infer<typeof viewChangeSchema>

/** Body of `PUT /bff/views/default`; null for none. */
export const defaultViewSchema = z.strictObject({ id: z.nullable(idSchema) })

/** Answer of `POST /bff/views/:id/feed`: an address that is shown once. Making it anew ends the one before. */
export const viewFeedSchema = z.object({ address: z.string() })
