import * as z from 'zod/mini'
import { deliverySummarySchema } from '../delivery.ts'
import { idSchema } from '../id.ts'
import { webAddressFault } from './webhook-fault.ts'

export const WATCH_RECIPIENTS_MAX_COUNT = 20

/** Whom a watch tells, as it is shown: never a whole webhook. */
export const watchRecipientSchema = z.discriminatedUnion('channel', [
  /** A user of this Lantern, by whatever address the account has. */
  z.object({ channel: z.literal('user'), id: z.uuid(), userId: z.uuid(), name: z.string() }),
  z.object({
    channel: z.enum(['email', 'slack', 'teams', 'webhook']),
    id: z.uuid(),
    /** Masked. */
    destination: z.string(),
    /** When a signed webhook answered 410. Until it accepts a test, nothing is sent to it; absent while it is sent to. */
    endedAt: z.optional(z.iso.datetime()),
  }),
])
export type WatchRecipient = z.infer<typeof watchRecipientSchema>

/** A saved view whose new threats are told. It costs no call. */
export const watchSchema = z.extend(deliverySummarySchema, {
  id: z.uuid(),
  viewId: z.uuid(),
  viewName: z.string(),
  owner: z.object({ name: z.string(), isMe: z.boolean() }),
  recipients: z.array(watchRecipientSchema),
  createdAt: z.iso.datetime(),
  /** Why its search cannot be understood any more, in sentences: then nothing is sent. */
  searchFaults: z.optional(z.array(z.string())),
})
export type Watch = z.infer<typeof watchSchema>

/** Answer of `GET /bff/watches`: one's own, those of the team's views, and those that tell oneself. */
export const watchListSchema = z.object({
  watches: z.array(watchSchema),
  /** Whether a mail server is set up. */
  hasEmail: z.boolean(),
  /** Of `NOTIFY_DOMAINS`: where addresses that are no users' may be. */
  domains: z.array(z.string()),
  /** Of `NOTIFY_HOSTS`: hosts that webhooks of every kind may lead to. */
  hosts: z.array(z.string()),
})
export type WatchList = z.infer<typeof watchListSchema>

/** Whether its host is one that this kind of webhook may lead to is known where NOTIFY_HOSTS is. */
const webhookTextSchema = z.string().check(
  z.refine((text) => webAddressFault(text) === null, {
    error: ({ input }) => webAddressFault(String(input)) ?? undefined,
  }),
)

const webAddressSchema = z
  .string()
  .check(z.trim(), z.maxLength(2048), z.refine(URL.canParse, 'This is not a web address.'))

/** Write-only: they come back masked. `kept` is one that the watch already has. */
export const recipientDraftSchema = z.discriminatedUnion('channel', [
  z.strictObject({ channel: z.literal('kept'), id: idSchema }),
  z.strictObject({ channel: z.literal('user'), userId: idSchema }),
  z.strictObject({ channel: z.literal('email'), address: z.email().check(z.maxLength(254)) }),
  z.strictObject({ channel: z.literal('slack'), url: webhookTextSchema }),
  z.strictObject({ channel: z.literal('teams'), url: webhookTextSchema }),
  z.strictObject({ channel: z.literal('webhook'), url: webAddressSchema }),
])
export type RecipientDraft = z.infer<typeof recipientDraftSchema>

const recipientsSchema = z
  .array(recipientDraftSchema)
  .check(z.minLength(1), z.maxLength(WATCH_RECIPIENTS_MAX_COUNT))

/** Body of `POST /bff/watches` (analysts); sent again under its key, it is answered as it was, without the secrets. */
export const watchDraftSchema = z.strictObject({
  viewId: idSchema,
  recipients: recipientsSchema,
  idempotencyKey: z.optional(idSchema),
})
export type WatchDraft = z.infer<typeof watchDraftSchema>

/** Body of `PUT /bff/watches/:id`: what is given changes. */
export const watchChangeSchema = z.strictObject({
  recipients: z.optional(recipientsSchema),
  state: z.optional(z.enum(['active', 'paused'])),
})
export type WatchChange = z.infer<typeof watchChangeSchema>

/** Answer of `POST /bff/watches` (201) and `PUT /bff/watches/:id`. */
export const watchSavedSchema = z.object({
  watch: watchSchema,
  /** The signing secrets (`whsec_…`) of webhooks that are new, by recipient id: shown once. */
  secrets: z.record(z.uuid(), z.string()),
})
export type WatchSaved = z.infer<typeof watchSavedSchema>
