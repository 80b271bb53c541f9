import * as z from 'zod/mini'
import { threatFilterSchema } from './threat-list.ts'

export const VIEW_NAME_MAX_LENGTH = 80

/** A filter of the feed under a name. */
export const viewSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  filter: threatFilterSchema,
  /** IANA name of the zone that `from` and `to` are days of. */
  timeZone: z.string(),
  /** The whole team sees it. */
  isShared: z.boolean(),
  /** Whose it is. */
  owner: z.object({ name: z.string(), isMe: z.boolean() }),
  /** It opens when I open the feed without a filter. */
  isDefault: z.boolean(),
  /** It can be read as an Atom feed by whoever has the address. */
  hasFeed: z.boolean(),
  updatedAt: z.iso.datetime(),
})
export type View = z.infer<typeof viewSchema>

/** Answer of `GET /bff/views`: one's own and the team's, by name. */
export const viewListSchema = z.object({ views: z.array(viewSchema) })
export type ViewList = z.infer<typeof viewListSchema>

const nameSchema = z.string().check(
  z.trim(),
  z.minLength(1),
  z.maxLength(VIEW_NAME_MAX_LENGTH),
  // No database holds them.
  z.refine((text) => text.isWellFormed() && !text.includes('\0'), 'must not hold NUL or half a character'),
)

/** Body of `POST /bff/views`. Sharing is for analysts. */
export const viewDraftSchema = z.strictObject({
  name: nameSchema,
  filter: threatFilterSchema,
  timeZone: z.string().check(z.minLength(1), z.maxLength(64)),
  isShared: z.boolean(),
})
export type ViewDraft = z.infer<typeof viewDraftSchema>

/** Body of `PUT /bff/views/:id`: what is given changes. One's own views, and any for admins. */
export const viewChangeSchema = z.partial(viewDraftSchema)
export type ViewChange = z.infer<typeof viewChangeSchema>

/** Body of `PUT /bff/views/default`; null for none. */
export const defaultViewSchema = z.strictObject({ id: z.nullable(z.uuid()) })

/** Answer of `POST /bff/views/:id/feed`: an address that is shown once. Making it anew ends the one before. */
export const viewFeedSchema = z.object({ address: z.string() })
export type ViewFeed = z.infer<typeof viewFeedSchema>
