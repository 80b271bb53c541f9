import * as z from 'zod/mini'
import {
  deliveryAttemptSchema,
  deliveryChannelSchema,
  deliveryCountsSchema,
  deliverySchema,
  deliveryStateSchema,
} from '../delivery.ts'
import { idSchema, vendorIdSchema } from '../id.ts'

/** Query of `GET /bff/deliveries`. */
export const ledgerQuerySchema = z.object({
  state: z.optional(z.array(deliveryStateSchema)),
  channel: z.optional(deliveryChannelSchema),
  /** Id of the only profile whose messages are listed. */
  causeId: z.optional(vendorIdSchema),
  cursor: z.optional(z.string().check(z.maxLength(1024))),
})
export type LedgerQuery = z.infer<typeof ledgerQuerySchema>

/**
 * Answer of `GET /bff/deliveries`: what failed or is unclear, then the rest, each newest first. Where states are chosen,
 * all are newest first.
 */
export const ledgerSchema = z.object({
  deliveries: z.array(deliverySchema),
  nextCursor: z.nullable(z.string()),
  /** Counts of all messages, whatever the filter. */
  counts: deliveryCountsSchema,
  /** The vendor sends the messages of its alert profiles itself, and Lantern cannot list them. */
  isVendorSending: z.boolean(),
})
export type Ledger = z.infer<typeof ledgerSchema>

/** Answer of `GET /bff/deliveries/:id`. */
export const ledgerDetailSchema = z.extend(deliverySchema, {
  /** Every attempt, oldest first. */
  history: z.array(deliveryAttemptSchema),
  /** With titles, victims and actors, the vendor's text, as messages show them, and the profiles that matched them. */
  threats: z.array(
    z.object({
      id: z.string(),
      title: z.nullable(z.string()),
      victim: z.nullable(z.string()),
      actor: z.nullable(z.string()),
      causeIds: z.array(z.string()),
    }),
  ),
  /** The profiles among its causes for which the reader may mute victims and actors. */
  mutableIds: z.array(z.string()),
})
export type LedgerDetail = z.infer<typeof ledgerDetailSchema>

/** Answer of `GET /bff/threats/:id/deliveries`: the messages sent about a threat, newest first, 100 at most. */
export const threatNotificationsSchema = z.pick(ledgerSchema, { deliveries: true, isVendorSending: true })
export type ThreatNotifications = z.infer<typeof threatNotificationsSchema>

/** Answer of whatever sends a test (202): where the ledger will have its outcome. */
export const testSentSchema = z.object({ id: idSchema })
export type TestSent = z.infer<typeof testSentSchema>

/** More go into no file: a narrower filter holds the rest. */
export const LEDGER_EXPORT_MAX_COUNT = 10_000

/** Query of `GET /bff/exports/deliveries`: the ledger's own filter. */
export const ledgerExportQuerySchema = z.extend(z.omit(ledgerQuerySchema, { cursor: true }), {
  format: z._default(z.enum(['csv', 'ndjson']), 'csv'),
})
