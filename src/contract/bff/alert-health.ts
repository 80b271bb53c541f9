import * as z from 'zod/mini'
import { deliveryChannelSchema } from '../delivery.ts'

/**
 * `ended` answered 410, `unopenable` was sealed by another SECRET, `failing` accepts no messages, `late` has one that waits
 * for more than 10 minutes, `proven` accepted the last message, `unproven` was sent none.
 */
export const DESTINATION_STATES = ['ended', 'unopenable', 'failing', 'late', 'proven', 'unproven'] as const
export const destinationStateSchema = z.enum(DESTINATION_STATES)
export type DestinationState = z.infer<typeof destinationStateSchema>

/** The state of a destination: whether messages reach it. */
export const destinationHealthSchema = z.object({
  state: destinationStateSchema,
  /** Since when; of `proven` when it last accepted a message. Null where that is not known. */
  since: z.nullable(z.iso.datetime()),
  provenAt: z.nullable(z.iso.datetime()),
  /** How the last attempt failed, as an attempt of the ledger says it; null where none has since the last acceptance. */
  fault: z.nullable(z.object({ code: z.nullable(z.string()), excerpt: z.string() })),
  /** Says what a person does about it, in sentences; null if nothing is to be done. */
  remedy: z.nullable(z.string()),
})
export type DestinationHealth = z.infer<typeof destinationHealthSchema>

/**
 * Kinds of problems that keep alerts from people: messages that are tried or wait for long, have failed, or may not have arrived; a webhook
 * that has ended; recipients that SECRET does not open; a profile that cannot be evaluated; a digest, waiting matches or a
 * weekly test that cannot be written; a mail server that cannot be
 * used; changes that no process evaluates; messages that no process sends; a database that takes no writes.
 */
export const alertProblemKindSchema = z.enum([
  'unreached',
  'failed',
  'unclear',
  'ended',
  'unopenable',
  'notEvaluated',
  'unwritten',
  'evaluationStopped',
  'mailServer',
  'workerStopped',
  'readOnly',
])
export type AlertProblemKind = z.infer<typeof alertProblemKindSchema>

/** Its text names only profiles that the reader may see. Both texts hold third-party parts. */
export const shownProblemSchema = z.object({
  kind: alertProblemKindSchema,
  since: z.nullable(z.iso.datetime()),
  subject: z.string(),
  /** Why, whom it concerns and what to do, in sentences. */
  text: z.string(),
  /** A path of the app, where it is seen or mended. */
  path: z.string(),
})
export type ShownProblem = z.infer<typeof shownProblemSchema>

/** More are not listed, those that work left out first. */
export const DESTINATIONS_MAX_COUNT = 200

/** Answer of `GET /bff/alerts/health`: of the profiles that the reader may see. It costs no call. */
export const alertHealthSchema = z.object({
  problems: z.array(shownProblemSchema),
  /** When a destination last accepted a message; null where none ever has. */
  lastSentAt: z.nullable(z.iso.datetime()),
  /** Failing destinations come first. */
  destinations: z.array(
    z.object({
      channel: deliveryChannelSchema,
      /** Masked; of a user the name. */
      destination: z.string(),
      health: destinationHealthSchema,
      profiles: z.array(z.object({ id: z.string(), name: z.string() })),
    }),
  ),
  /** Counts of all destinations, including those that are not listed. */
  destinationCount: z.int(),
})
export type AlertHealth = z.infer<typeof alertHealthSchema>
