import { countOf } from '#app/format/count.ts'
import type { Delivery, DeliveryChannel, DeliveryState } from '#contract/delivery.ts'

type StateWords = { label: string; tone: 'neutral' | 'accent' | 'warning' | 'danger'; means: string }

export const STATES: Readonly<Record<DeliveryState, StateWords>> = {
  queued: { label: 'Queued', tone: 'neutral', means: 'It waits for its turn, which comes within seconds.' },
  sending: { label: 'Sending', tone: 'neutral', means: 'It is being handed over now.' },
  sent: {
    label: 'Sent',
    tone: 'accent',
    means: 'The destination accepted it. Lantern cannot know whether somebody has read it.',
  },
  retrying: {
    label: 'Retrying',
    tone: 'warning',
    means: 'Not delivered yet. Lantern tries again by itself.',
  },
  failed: {
    label: 'Failed',
    tone: 'danger',
    means: 'Not delivered. The destination refused it, or Lantern could not reach it in time.',
  },
  unclear: {
    label: 'Unclear',
    tone: 'warning',
    means: 'No answer came: it may have arrived. Lantern does not send it twice by itself.',
  },
  heldBack: {
    label: 'Held back',
    tone: 'neutral',
    means: 'Hourly limit reached. Lantern sends what waits in one message later.',
  },
  notSent: { label: 'Not sent', tone: 'neutral', means: 'It was never sent.' },
}

const REASONS: Readonly<Record<NonNullable<Delivery['reason']>, string>> = {
  paused: 'It was not sent, because its profile was paused.',
  deleted: 'It was not sent, because its profile was deleted.',
  removed: 'It was not sent, because its profile does not notify this destination any more.',
  over: 'It was not sent, because its event had ended by then.',
  ended:
    'Not sent: the destination answered 410 before, which ends it. Send it again to try the destination.',
}

export const CHANNELS: Readonly<Record<DeliveryChannel, string>> = {
  email: 'Email',
  slack: 'Slack',
  teams: 'Teams',
  webhook: 'Webhook',
}

const REDIRECT = /^3\d\d$/

/** Returns true if the destination answered. If not, the excerpt is Lantern's sentence about what happened. */
export function isQuoted(code: string | null): boolean {
  return code !== null && !REDIRECT.test(code)
}

/** Explains a state to a person. */
export function meaningOf({ state, reason }: Delivery): string {
  return state === 'notSent' && reason ? REASONS[reason] : STATES[state].means
}

/** Returns true if the state soon changes by itself. */
export function isUnderWay({ state }: Delivery): boolean {
  return state === 'queued' || state === 'sending' || state === 'retrying'
}

/** Returns true if a person may send it once more. */
export function isResendable({ state }: Delivery): boolean {
  return state === 'failed' || state === 'unclear' || state === 'notSent'
}

/** Names the kind of message. A notice has its own subject. */
export function kindInWords({ kind, threatCount }: { kind: Delivery['kind']; threatCount: number }): string {
  if (kind === 'test') return 'Test message'
  if (kind === 'digest') return threatCount === 0 ? 'Digest' : `Digest, ${countOf(threatCount, 'threat')}`
  return kind === 'notice' ? 'Notice' : countOf(threatCount, 'threat')
}
