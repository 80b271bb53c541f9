import { DAY_MS } from '#contract/duration.ts'
import type { Digest } from '../message.ts'
import { tellLine, tellList } from './tell-text.ts'

const UNDELIVERED_MAX_COUNT = 3
const WEEK_DAYS = 7

/** A digest in sentences: its figures with their change, and what could not be delivered. All of it is inert. */
export function describeDigest(
  digest: Digest,
  textLength: number,
): { subject: string; heading: string; paragraphs: string[] } {
  const { count, causes, severities, undelivered, pausedCount, mutedCount } = digest
  const tell = (text: string) => tellLine(text, Math.ceil(textLength / 2))
  const span = spanOf(digest)
  const name = tell(causes[0]?.name ?? '')
  const none = mutedCount === 0 ? 'Nothing matched' : 'Only muted matches'
  const sum = count === 0 ? `${none} ${span.when}` : countMatches(count)
  const change = describeChange(digest, span.before)
  const of = ({ severity, count: ofIt }: Digest['severities'][number]) =>
    `${tellCount(ofIt)} ${severity === null ? 'without a severity' : tell(severity)}`
  return {
    subject: `${span.name} of “${name}”: ${count === 0 ? none.toLowerCase() : sum}`,
    heading: count === 0 ? `${sum}.` : change === null ? sum : `${sum}, ${change}`,
    paragraphs: [
      `${span.name} of the profile “${name}”, from ${tellPeriod(digest)}.`,
      ...(count === 0 && change !== null ? [`That is ${change}.`] : []),
      ...(count === 0 ? [] : [`By severity: ${tellList(severities, severities.length, of)}.`]),
      ...(pausedCount === 0 ? [] : [`Not sent because the profile was paused: ${tellCount(pausedCount)}.`]),
      ...(mutedCount === 0
        ? []
        : [`${countMatches(mutedCount)} ${mutedCount === 1 ? 'was' : 'were'} muted.`]),
      ...(digest.readUpTo === null
        ? []
        : [
            `The vendor could last be read on ${tellTime(digest.readUpTo, digest)}. What it listed later is in the next digest.`,
          ]),
      ...describeUndelivered(undelivered, tell),
    ],
  }
}

function describeChange({ count, previousCount }: Digest, before: string): string | null {
  if (previousCount === null) return null
  if (count === previousCount) return `as many as ${before}`
  const difference = tellCount(Math.abs(count - previousCount))
  return `${difference} ${count > previousCount ? 'more' : 'fewer'} than ${before}`
}

function describeUndelivered(undelivered: Digest['undelivered'], tell: (text: string) => string): string[] {
  const lines = undelivered.slice(0, UNDELIVERED_MAX_COUNT).map(({ destination, state, count, reason }) => {
    const what = `${tellCount(count)} ${count === 1 ? 'message' : 'messages'}`
    const how = state === 'unclear' ? 'may not have arrived at' : 'could not be delivered to'
    return `${what} ${how} ${tell(destination)}: ${tell(reason)}`
  })
  const more = undelivered.length - lines.length
  return more > 0 ? [...lines, `Nor could messages to ${tellCount(more)} more destinations.`] : lines
}

/** A digest after an outage holds more than a day or a week. */
function spanOf({ since, until }: Digest): { name: string; when: string; before: string } {
  const days = Math.round((Date.parse(until) - Date.parse(since)) / DAY_MS)
  if (days === 1) return { name: 'Daily digest', when: 'on this day', before: 'the day before' }
  if (days === WEEK_DAYS) return { name: 'Weekly digest', when: 'this week', before: 'the week before' }
  const when = days === 0 ? 'in this time' : `in these ${days} days`
  return { name: 'Digest', when, before: days === 0 ? 'before' : `the ${days} days before` }
}

/** `Mon 23 Nov, 08:00 to Mon 30 Nov, 08:00 (Europe/Berlin)`. */
function tellPeriod(digest: Digest): string {
  return `${tellTime(digest.since, digest)} to ${tellTime(digest.until, digest)} (${digest.timeZone})`
}

function tellTime(iso: string, { timeZone }: Digest): string {
  const date = { weekday: 'short', day: 'numeric', month: 'short' } as const
  const time = { hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat('en-GB', { ...date, ...time, timeZone }).format(new Date(iso))
}

function countMatches(count: number): string {
  return `${tellCount(count)} ${count === 1 ? 'match' : 'matches'}`
}

export function tellCount(count: number): string {
  return count.toLocaleString('en')
}
