import * as z from 'zod/mini'

/**
 * `sent` is accepted by its destination, `unclear` may have arrived, `heldBack` waits for the flood cap of its destination,
 * `notSent` never will.
 */
export const DELIVERY_STATES = [
  'queued',
  'sending',
  'sent',
  'retrying',
  'failed',
  'unclear',
  'heldBack',
  'notSent',
] as const
export const deliveryStateSchema = z.enum(DELIVERY_STATES)
export type DeliveryState = z.infer<typeof deliveryStateSchema>

export const DELIVERY_CHANNELS = ['email', 'slack', 'teams', 'webhook'] as const
export const deliveryChannelSchema = z.enum(DELIVERY_CHANNELS)
export type DeliveryChannel = z.infer<typeof deliveryChannelSchema>

export const deliveryCauseSchema = z.object({
  id: z.string(),
  name: z.string(),
})

/** One message to one destination, as the ledger has it. */
export const deliverySchema = z.object({
  id: z.uuid(),
  kind: z.enum(['matches', 'digest', 'test', 'notice']),
  state: deliveryStateSchema,
  /**
   * Why it was not sent: what made it was paused, deleted or tells this destination no more, a notice was over before, or
   * the destination has ended by answering 410.
   */
  reason: z.nullable(z.enum(['paused', 'deleted', 'removed', 'over', 'ended'])),
  channel: deliveryChannelSchema,
  /** Masked destination. */
  destination: z.string(),
  causes: z.array(deliveryCauseSchema),
  threatCount: z.int(),
  /** Title of a notice, or of a digest in parts. */
  subject: z.nullable(z.string()),
  attempts: z.int(),
  createdAt: z.string(),
  nextAttemptAt: z.nullable(z.string()),
  /**
   * When the last attempt ended, and how. Where the destination answered, the excerpt is its text, untrusted. Where nobody
   * answered, there is no code, and the excerpt is Lantern's own sentence. The same
   * holds for a redirect, which has a code.
   */
  answeredAt: z.nullable(z.string()),
  code: z.nullable(z.string()),
  excerpt: z.nullable(z.string()),
})
export type Delivery = z.infer<typeof deliverySchema>

export const deliveryAttemptSchema = z.object({
  number: z.int(),
  startedAt: z.string(),
  endedAt: z.nullable(z.string()),
  /** Null while it is under way. */
  outcome: z.nullable(z.enum(['accepted', 'refused', 'unclear'])),
  code: z.nullable(z.string()),
  excerpt: z.string(),
})
export type DeliveryAttempt = z.infer<typeof deliveryAttemptSchema>

export const deliveryCountsSchema = z.record(deliveryStateSchema, z.int())
export type DeliveryCounts = z.infer<typeof deliveryCountsSchema>

/** How deliveries of a profile go. */
export const deliverySummarySchema = z.object({
  state: z.enum(['active', 'paused']),
  lastSentAt: z.nullable(z.string()),
  /** Failed or unclear, of the last 7 days. */
  failures: z.int(),
})
export type DeliverySummary = z.infer<typeof deliverySummarySchema>
