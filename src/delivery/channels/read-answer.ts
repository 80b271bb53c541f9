import { maskAddresses } from '#contract/bff/mask-address.ts'
import { DAY_MS } from '#contract/duration.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { cutGraphemes } from '../messages/format-text.ts'
import type { Answer } from './channel.ts'
import type { Posted } from './post-json.ts'

const EXCERPT_MAX_LENGTH = 200
const READ_MAX_LENGTH = 1_000

/** Lists what a destination sends when it accepts a message, and which status codes are permanent failures. */
export type Verdicts = {
  isAccepted(answered: { status: number; body: string }): boolean
  permanent: ReadonlySet<number>
  /** The status by which it requests that nothing is sent any more. */
  gone?: number
}

export function readAnswer(
  posted: Posted,
  destination: string,
  { isAccepted, permanent, gone }: Verdicts,
): Answer {
  if (posted.kind === 'unsent') return refuse(posted.reason)
  if (posted.kind === 'unanswered') return { kind: 'unclear', excerpt: posted.reason }
  const { status, body, retryAfter } = posted
  const code = String(status)
  if (isAccepted(posted)) return { kind: 'accepted', code, excerpt: excerptOf(body, destination) }
  // The answer ended before its decisive word.
  if (status === 200 && !posted.isWhole) return { kind: 'unclear', excerpt: 'The answer broke off.' }
  const isRedirect = status >= 300 && status < 400
  return {
    kind: 'refused',
    code,
    excerpt: isRedirect
      ? 'It redirects to another address. Lantern does not follow redirects.'
      : excerptOf(body, destination),
    isPermanent: permanent.has(status),
    isGone: status === gone,
    retryAfterMs: readRetryAfter(retryAfter, Date.now()),
  }
}

/** Nothing has arrived; without a code, since nobody answered. */
export function refuse(excerpt: string, isPermanent = false, retryAfterMs: number | null = null): Answer {
  return {
    kind: 'refused',
    code: null,
    excerpt: cutGraphemes(excerpt, EXCERPT_MAX_LENGTH),
    isPermanent,
    retryAfterMs,
  }
}

/** Returns the reply as one visible line, without the address that it may repeat. */
export function excerptOf(answer: string, destination: string): string {
  const masked = maskAddresses(visibleLine(answer.slice(0, READ_MAX_LENGTH)), [
    destination,
    safelyDecoded(destination),
  ])
  return cutGraphemes(masked, EXCERPT_MAX_LENGTH)
}

/** All three forms of a date in HTTP; the last is without its zone, which is GMT. */
const HTTP_DATE = /^[A-Z][a-z]+,? .+ GMT$/
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/

/** RFC 9110, section 10.2.3: seconds or a date. A day at most; null for what is neither. */
export function readRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null
  const date = ASCTIME_DATE.test(value) ? `${value} GMT` : HTTP_DATE.test(value) ? value : ''
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(date) - now
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), DAY_MS)
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
