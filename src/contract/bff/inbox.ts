import * as z from 'zod/mini'

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

/** At most as many entries are listed. */
export const INBOX_SHOWN_MAX_COUNT = 50

/** Answer of `GET /bff/inbox`: newest first. */
export const inboxSchema = z.object({ items: z.array(inboxItemSchema), unread: z.int() })
export type Inbox = z.infer<typeof inboxSchema>
