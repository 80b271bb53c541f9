import * as z from 'zod/mini'
import { rowIdSchema } from '../id.ts'
import { momentSchema } from '../moment.ts'
import { INBOX_SHOWN_MAX_COUNT } from './inbox.ts'

// Apart from what the bell shows: every first visit carries that.

/** Body of `POST /bff/inbox/read`: all entries up to a moment, or single ones. Those of others are left alone. */
export const inboxReadSchema = z.union([
  z.strictObject({ upTo: momentSchema }),
  z.strictObject({
    ids: z.array(rowIdSchema).check(z.minLength(1), z.maxLength(INBOX_SHOWN_MAX_COUNT)),
  }),
])
export type InboxRead = z.infer<typeof inboxReadSchema>
