import * as z from 'zod/mini'
import { threatFilterSchema } from './threat-list.ts'

/** A filter of the feed under a name. */
export const viewSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  filter: threatFilterSchema,
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

/** Answer of `GET /bff/views`: one's own and the team's, by name. */
export const viewListSchema = z.object({ views: z.array(viewSchema) })
export type ViewList = z.infer<typeof viewListSchema>
