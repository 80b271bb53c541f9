import * as z from 'zod/mini'

/**
 * `ended` answered 410, `unopenable` was sealed by another SECRET, `failing` accepts no messages, `late` has one that waits
 * for more than 10 minutes, `proven` accepted the last message, `unproven` was sent none.
 */
export const DESTINATION_STATES = ['ended', 'unopenable', 'failing', 'late', 'proven', 'unproven'] as const
export const destinationStateSchema = z.enum(DESTINATION_STATES)
export type DestinationState = z.infer<typeof destinationStateSchema>

/** Whether messages reach a destination. */
export const destinationHealthSchema = z.object({
  state: destinationStateSchema,
  /** Since when; of `proven` when it last accepted a message. Null where that is not known. */
  since: z.nullable(z.iso.datetime()),
  provenAt: z.nullable(z.iso.datetime()),
  /** How the last attempt failed, as an attempt of the ledger says it; null where none has since the last acceptance. */
  fault: z.nullable(z.object({ code: z.nullable(z.string()), excerpt: z.string() })),
  /** What a person does about it, in sentences; null where nothing is to be done. */
  remedy: z.nullable(z.string()),
})
export type DestinationHealth = z.infer<typeof destinationHealthSchema>
