import * as z from 'zod/mini'
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
