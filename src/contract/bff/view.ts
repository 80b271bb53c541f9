import * as z from 'zod/mini'
import { idSchema } from '../id.ts'
import { timeZoneNameSchema } from '../time-zone.ts'
import { arrangementSchema } from './arrangement.ts'
import { threatFilterSchema } from './threat-list.ts'

/** A filter of the feed under a name. */
export const viewSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  filter: threatFilterSchema,
  /** How its list stands; absent: newest first, with all columns. */
  arrangement: z.optional(arrangementSchema),
  /** IANA name of the zone that `within`, `from` and `to` are days of. */
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

/** A view that whoever has its feed's address may read, as admins see it: the address itself is shown once, to its maker. */
export const feedAddressSchema = z.object({
  viewId: z.uuid(),
  viewName: z.string(),
  isShared: z.boolean(),
  owner: z.object({ name: z.string(), email: z.string() }),
  /** Null where an earlier version made it. */
  openedAt: z.nullable(z.iso.datetime()),
})
export type FeedAddress = z.infer<typeof feedAddressSchema>

/** Answer of `GET /bff/feed-addresses` (admins). */
export const feedAddressListSchema = z.object({ addresses: z.array(feedAddressSchema) })

/** Answer of `GET /bff/views`: one's own and the team's, by name. */
export const viewListSchema = z.object({ views: z.array(viewSchema) })

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
