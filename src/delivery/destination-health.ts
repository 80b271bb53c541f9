import type { DestinationHealth, DestinationState } from '#contract/bff/alert-health.ts'
import { MINUTE_MS } from '#contract/duration.ts'
import { formatTime } from './messages/format-text.ts'

/** A message that waits longer is late. */
export const LATE_AFTER_MS = 10 * MINUTE_MS

/** `code` is the protocol's; null if nobody answered. */
export type Fault = { readonly code: string | null; readonly excerpt: string }

export type DestinationFacts = {
  readonly channel: string
  readonly isOpenable: boolean
  readonly endedAt: Date | null
  readonly provenAt: Date | null
  readonly failingSince: Date | null
  readonly fault: Fault | null
  /** The time when the oldest waiting message was first tried, or due. */
  readonly waitingSince: Date | null
  /** The next attempt is due at this time. */
  readonly retriesAt: Date | null
}

type Cause = {
  /** The fault concerns all destinations of the server. */
  readonly isOfServer: boolean
  readonly remedy: string
}

const CAUSES = {
  secret: {
    isOfServer: true,
    remedy: 'SECRET was replaced. Set SECRET_BEFORE to the former one, or enter the recipient again.',
  },
  setUp: { isOfServer: true, remedy: 'Set SMTP_URL and MAIL_FROM.' },
  login: { isOfServer: true, remedy: 'Correct user and password in SMTP_URL.' },
  domain: { isOfServer: false, remedy: 'Add the domain to NOTIFY_DOMAINS, or remove the recipient.' },
  host: { isOfServer: true, remedy: 'Add the host to NOTIFY_HOSTS, or enter another webhook.' },
  dns: { isOfServer: true, remedy: 'Check the spelling of the host and the DNS server of this machine.' },
  tls: {
    isOfServer: true,
    remedy: 'Renew the TLS certificate of the server, or trust its authority by NODE_EXTRA_CA_CERTS.',
  },
  address: { isOfServer: false, remedy: 'Check the email address and its mailbox.' },
  gone: { isOfServer: false, remedy: 'Create a new webhook there, and enter it here.' },
  denied: { isOfServer: false, remedy: 'Allow the webhook there, or enter a new one.' },
  redirect: { isOfServer: false, remedy: 'Enter the address that it redirects to.' },
  format: { isOfServer: false, remedy: 'Check that the webhook is one of this channel.' },
  limit: { isOfServer: true, remedy: 'Wait: it limits the number of messages.' },
  refusal: { isOfServer: true, remedy: 'Look at the log of the server that refuses the messages.' },
  connection: { isOfServer: true, remedy: 'Check that the server runs and that this machine reaches it.' },
} as const satisfies Record<string, Cause>
export type FaultCause = keyof typeof CAUSES

/** Lantern's own sentences, in this order. */
const SENTENCES: readonly (readonly [RegExp, FaultCause])[] = [
  [/another SECRET|no secret that it could be signed/, 'secret'],
  [/SMTP_URL and MAIL_FROM/, 'setUp'],
  [/login of SMTP_URL/, 'login'],
  [/NOTIFY_DOMAINS/, 'domain'],
  [/NOTIFY_HOSTS/, 'host'],
  // Messages that were sent before hold the spelling with a hyphen.
  [/not an e-?mail address/, 'address'],
  [/host name/i, 'dns'],
  [/TLS|certificate/, 'tls'],
]
const STATUSES: ReadonlyMap<string, FaultCause> = new Map([
  ['400', 'format'],
  ['401', 'denied'],
  ['403', 'denied'],
  ['404', 'gone'],
  ['405', 'format'],
  ['410', 'gone'],
  ['413', 'format'],
  ['429', 'limit'],
])

export function nameCause(channel: string, { code, excerpt }: Fault): FaultCause {
  if (code === null) return SENTENCES.find(([sentence]) => sentence.test(excerpt))?.[1] ?? 'connection'
  // RFC 3463: 5.1 is about the address, 5.2 about the mailbox. 550 to 553 are, where the server names neither.
  if (channel === 'email') return /^5\d\d 5\.[12]\.|^55[0-3]$/.test(code) ? 'address' : 'refusal'
  return STATUSES.get(code) ?? (code.startsWith('3') ? 'redirect' : 'refusal')
}

/** Returns true if other destinations of the same server fail by the same cause. */
export function isOfServer(cause: FaultCause): boolean {
  return CAUSES[cause].isOfServer
}

/** Returns what a person can do about the cause. */
export function remedyOf(cause: FaultCause, retriesAt: Date | null): string {
  const { remedy } = CAUSES[cause]
  return retriesAt ? `${remedy} Lantern tries again on ${formatTime(retriesAt)}.` : remedy
}

const ENDED = 'The receiver answered 410: nothing more is sent. Send a test once it accepts messages again.'
const LATE = 'Messages wait for the server. Check that it answers in time.'

/** The states exclude each other: the first that holds is the state. */
export function judgeHealth(facts: DestinationFacts, now: Date): DestinationHealth {
  const { channel, fault, failingSince, provenAt, retriesAt } = facts
  const state = stateOf(facts, now)
  const since = {
    ended: facts.endedAt,
    unopenable: null,
    failing: failingSince,
    late: facts.waitingSince,
    proven: provenAt,
    unproven: null,
  }[state]
  const remedy = {
    ended: ENDED,
    unopenable: remedyOf('secret', null),
    failing: fault && remedyOf(nameCause(channel, fault), retriesAt),
    late: LATE,
    proven: null,
    unproven: null,
  }[state]
  return {
    state,
    since: since?.toISOString() ?? null,
    provenAt: provenAt?.toISOString() ?? null,
    fault,
    remedy,
  }
}

function stateOf(facts: DestinationFacts, now: Date): DestinationState {
  if (facts.endedAt) return 'ended'
  if (!facts.isOpenable) return 'unopenable'
  if (facts.failingSince) return 'failing'
  if (facts.waitingSince && now.getTime() - facts.waitingSince.getTime() > LATE_AFTER_MS) return 'late'
  return facts.provenAt ? 'proven' : 'unproven'
}
