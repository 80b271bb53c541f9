import type { Message } from '../message.ts'

export type Answer =
  | {
      /** It took the message. Teams has then queued it, and posts it or not. */
      readonly kind: 'accepted'
      /** The status code of the protocol: `200`, `250 2.0.0`. */
      readonly code: string
      /** The reply, printable, 200 characters at most. */
      readonly excerpt: string
    }
  | {
      /** It did not take it, or was not reached: nothing has arrived. */
      readonly kind: 'refused'
      /** Null where no answer came: a name that does not resolve, a refused connection, a bad certificate. */
      readonly code: string | null
      readonly excerpt: string
      /** Another attempt cannot help: 404, 410, 5.1.1. */
      readonly isPermanent: boolean
      /** The destination requests no further messages: 410 from a signed webhook. */
      readonly isGone?: boolean
      /** Milliseconds that the destination asks to be left alone, from `Retry-After`. */
      readonly retryAfterMs: number | null
    }
  | {
      /** The line ended after all was sent and before an answer: it may have arrived. */
      readonly kind: 'unclear'
      readonly excerpt: string
    }

/** One attempt to send a message to one destination. */
export type Attempt = {
  readonly message: Message
  /** An address or a URL, in the clear. */
  readonly destination: string
  /** The id is the same at each attempt: Message-ID and `webhook-id` are made of it. It has no dots. */
  readonly deliveryId: string
  readonly signal: AbortSignal
  /**
   * To be awaited right before what makes the message arrive leaves. Where it rejects, nothing may leave. Absent where the
   * message is in no ledger.
   */
  readonly onBody?: () => Promise<void>
  /** Pages of the message that earlier attempts have delivered, and where more of them are noted. */
  readonly progress?: { readonly pagesTaken: number; note(pagesTaken: number): Promise<void> }
}

/** Never throws: a failure is an answer. */
export type Send = (attempt: Attempt) => Promise<Answer>

export interface Channel {
  readonly send: Send
  /** The receiver recognizes a message that comes twice by its id. */
  readonly recognizesRepeats: boolean
  /** The channel sends all threats of a message, in pages. */
  readonly hasPages?: boolean
}
