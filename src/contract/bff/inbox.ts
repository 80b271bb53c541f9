import * as z from 'zod/mini'
import { momentSchema } from '../moment.ts'

/** An entry of the bell: a notice to the user, or new matches of their profiles. */
export const inboxItemSchema = z.object({
  id: z.string(),
  kind: z.enum(['matches', 'notice']),
  /** Plain text with third-party parts. */
  title: z.string(),
  detail: z.nullable(z.string()),
  /** A path of the app. */
  path: z.string(),
  at: z.iso.datetime(),
  isRead: z.boolean(),
})
export type InboxItem = z.infer<typeof inboxItemSchema>

/** Answer of `GET /bff/inbox`: newest first, 50 at most. */
export const inboxSchema = z.object({ items: z.array(inboxItemSchema), unread: z.int() })
export type Inbox = z.infer<typeof inboxSchema>

/** Body of `POST /bff/inbox/read`: all up to that moment. */
export const inboxReadSchema = z.strictObject({ upTo: momentSchema })
