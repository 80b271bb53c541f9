import type { Message } from '../message.ts'

/** How a destination answered one attempt. */
export type Answer =
  | {
      /** It took the message. Teams has then queued it, and posts it or not. */
      readonly kind: 'accepted'
      /** As the protocol has it: `200`, `250 2.0.0`. */
      readonly code: string
      /** What it said, printable, 200 characters at most. */
      readonly excerpt: string
    }
  | {
      /** It did not take it, or was not reached: nothing has arrived. */
      readonly kind: 'refused'
      /** Null where no answer came: a name that does not resolve, a refused connection, a bad certificate. */
      readonly code: string | null
      readonly excerpt: string
      /** Whether another attempt cannot help: 404, 410, 5.1.1. */
      readonly isPermanent: boolean
      /** Whether it requests that nothing is sent to it any more: 410 from a signed webhook. */
      readonly isGone?: boolean
      /** Milliseconds that the destination asks to be left alone, from `Retry-After`. */
      readonly retryAfterMs: number | null
    }
  | {
      /** The line ended after all was sent and before an answer: it may have arrived. */
      readonly kind: 'unclear'
      readonly excerpt: string
    }

/** One attempt to tell one destination. Never throws: what goes wrong is an answer. */
export type Send = (attempt: {
  readonly message: Message
  /** An address or a URL, in the clear. */
  readonly destination: string
  /** The same at each attempt: Message-ID and `webhook-id` are made of it. No dots. */
  readonly deliveryId: string
  readonly signal: AbortSignal
  /**
   * To be awaited right before what makes the message arrive leaves. Where it rejects, nothing may leave. Absent where the
   * message is in no ledger.
   */
  readonly onBody?: () => Promise<void>
  /** Pages of the message that earlier attempts have delivered, and where more of them are noted. */
  readonly progress?: { readonly pagesTaken: number; note(pagesTaken: number): Promise<void> }
}) => Promise<Answer>

/** A way to tell somebody. */
export interface Channel {
  readonly send: Send
  /** Whether the receiver can tell a message that comes twice from two, by its id. */
  readonly canTellTwice: boolean
  /** Whether it sends all threats of a message, in pages. */
  readonly hasPages?: boolean
}
