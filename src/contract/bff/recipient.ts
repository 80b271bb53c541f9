import * as z from 'zod/mini'
import { idSchema } from '../id.ts'
import { destinationHealthSchema } from './alert-health.ts'
import { webAddressFault } from './webhook-fault.ts'

const RECIPIENTS_MAX_COUNT = 20

/** Whom a profile of Lantern notifies, as it is shown: never a whole webhook. */
export const recipientSchema = z.discriminatedUnion('channel', [
  /** A user of this Lantern, by whatever address the account has. */
  z.object({
    channel: z.literal('user'),
    id: z.uuid(),
    userId: z.uuid(),
    name: z.string(),
    /** Health of messages by email. Absent if no mail server is set up or the user may not sign in. */
    health: z.optional(destinationHealthSchema),
  }),
  z.object({
    channel: z.enum(['email', 'slack', 'teams', 'webhook']),
    id: z.uuid(),
    /** Masked. */
    destination: z.string(),
    health: destinationHealthSchema,
  }),
])
export type Recipient = z.infer<typeof recipientSchema>

/** Checks the form of a webhook address only. The server, which knows NOTIFY_HOSTS, checks its host. */
const webhookTextSchema = z.string().check(
  z.refine((text) => webAddressFault(text) === null, {
    error: ({ input }) => webAddressFault(String(input)) ?? undefined,
  }),
)

const webAddressSchema = z
  .string()
  .check(z.trim(), z.maxLength(2048), z.refine(URL.canParse, 'This is not a web address.'))

/** Write-only: they come back masked. `kept` is one that the profile already has. */
export const recipientDraftSchema = z.discriminatedUnion('channel', [
  z.strictObject({ channel: z.literal('kept'), id: idSchema }),
  z.strictObject({ channel: z.literal('user'), userId: idSchema }),
  z.strictObject({ channel: z.literal('email'), address: z.email().check(z.maxLength(254)) }),
  z.strictObject({ channel: z.literal('slack'), url: webhookTextSchema }),
  z.strictObject({ channel: z.literal('teams'), url: webhookTextSchema }),
  z.strictObject({ channel: z.literal('webhook'), url: webAddressSchema }),
])
export type RecipientDraft = z.infer<typeof recipientDraftSchema>

export const recipientDraftsSchema = z
  .array(recipientDraftSchema)
  .check(z.minLength(1), z.maxLength(RECIPIENTS_MAX_COUNT))

/** Answer of `GET /bff/alert-profiles/users` (analysts): who may be notified or mentioned, by name. */
export const recipientUsersSchema = z.object({
  users: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      /** The address of those whose name another user has, too. */
      email: z._default(z.nullable(z.string()), null),
    }),
  ),
})
