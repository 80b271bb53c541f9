import { DAY_MS } from '#contract/duration.ts'
import type { Digest, DigestCases, Report } from '../message.ts'
import { formatLine, formatList } from './format-text.ts'

const UNDELIVERED_MAX_COUNT = 3
const WEEK_DAYS = 7

type Period = { since: string; until: string; timeZone: string }

/** A digest in sentences: its figures with their change, and what could not be delivered. All of it is inert. */
export function describeDigest(
  digest: Digest,
  textLength: number,
): { subject: string; heading: string; paragraphs: string[] } {
  const { count, causes, undelivered, pausedCount, mutedCount, repeatedCount, isLinkExact } = digest
  const { severities } = casesOf(digest)
  const format = (text: string) => formatLine(text, Math.ceil(textLength / 2))
  const span = spanOf(digest)
  const name = format(causes[0]?.name ?? '')
  const none = describeNoMatches(digest)
  const sum = count === 0 ? `${none} ${span.when}` : countInWords(digest)
  const change = describeChange(digest, span.before)
  const of = ({ severity, count: ofIt }: Digest['severities'][number]) =>
    `${formatCount(ofIt)} ${severity === null ? 'without a severity' : format(severity)}`
  return {
    subject: `${span.name} of “${name}”: ${count === 0 ? none.toLowerCase() : sum}`,
    heading: count === 0 ? `${sum}.` : change === null ? sum : `${sum}, ${change}`,
    paragraphs: [
      `${span.name} of the profile “${name}”, from ${formatPeriod(digest)}.`,
      ...(count === 0 && change !== null ? [`That is ${change}.`] : []),
      ...(count === 0 ? [] : [`By severity: ${formatList(severities, severities.length, of)}.`]),
      ...(pausedCount === 0 ? [] : [`Not sent because the profile was paused: ${countClaims(pausedCount)}.`]),
      ...(mutedCount === 0 ? [] : [`${countClaims(mutedCount)} ${mutedCount === 1 ? 'was' : 'were'} muted.`]),
      ...(repeatedCount === 0
        ? []
        : [`Left out, with nothing new of a case: ${countClaims(repeatedCount)}.`]),
      ...describeReadUpTo(digest),
      ...describeUndelivered(undelivered, format),
      ...(count === 0 || isLinkExact
        ? []
        : ['The link opens the search for the dates of these matches. It can show other threats, too.']),
    ],
  }
}

/** A digest in parts, in sentences. All of it is inert. */
export function describeReport(
  report: Report,
  textLength: number,
): { subject: string; heading: string; paragraphs: string[] } {
  const { causes, sum, parts, undelivered } = report
  const format = (text: string) => formatLine(text, Math.ceil(textLength / 2))
  const name = format(causes[0]?.name ?? '')
  const span = spanOf(report).name
  const empty = parts.flatMap(({ lines, empty }) => (lines.length === 0 ? empty : []))
  return {
    subject: `${span} of “${name}”: ${sum}`,
    heading: sum,
    paragraphs: [
      `${span} of the profile “${name}”, from ${formatPeriod(report)}.`,
      ...(empty.length === 0 ? [] : [empty.join(' ')]),
      ...(report.staleReason === undefined ? [] : [format(report.staleReason)]),
      ...describeClaims(report),
      ...describeUndelivered(undelivered, format),
    ],
  }
}

/** Says of a digest without matches what there was: without a full stop. */
export function describeNoMatches({
  mutedCount,
  repeatedCount,
}: {
  mutedCount: number
  repeatedCount: number
}): string {
  if (mutedCount > 0) return repeatedCount > 0 ? 'Only muted and repeated matches' : 'Only muted matches'
  return repeatedCount > 0 ? 'Only repeated matches' : 'Nothing matched'
}

/** The digest in cases. One that an earlier Lantern wrote has claims only, and each stands for itself. */
export function casesOf(digest: Digest): DigestCases {
  const { count, previousCount, severities, concernCount, threats } = digest
  const newest = threats.map((threat) => ({ ...threat, claimCount: 1 }))
  return digest.cases ?? { count, previousCount, severities, concernCount, newest }
}

/** `12 cases, 15 claims`; `12 cases` where each has one claim. */
export function countInWords({
  count,
  cases,
}: {
  count: number
  cases?: { count: number } | undefined
}): string {
  const parts = [
    ...(cases ? [formatNumber(cases.count, 'case')] : []),
    ...(cases?.count === count ? [] : [countClaims(count)]),
  ]
  return parts.join(', ')
}

function describeChange(digest: Digest, before: string): string | null {
  const { count, previousCount } = casesOf(digest)
  if (previousCount === null) return null
  const noun = digest.cases ? 'case' : 'claim'
  if (count === previousCount) return `as many ${noun}s as ${before}`
  const difference = formatNumber(Math.abs(count - previousCount), noun)
  return `${difference} ${count > previousCount ? 'more' : 'fewer'} than ${before}`
}

function describeUndelivered(undelivered: Digest['undelivered'], format: (text: string) => string): string[] {
  const lines = undelivered.slice(0, UNDELIVERED_MAX_COUNT).map(({ destination, state, count, reason }) => {
    const what = `${formatCount(count)} ${count === 1 ? 'message' : 'messages'}`
    const how = state === 'unclear' ? 'may not have arrived at' : 'could not be delivered to'
    return `${what} ${how} ${format(destination)}: ${format(reason)}`
  })
  const more = undelivered.length - lines.length
  return more > 0 ? [...lines, `Nor could messages to ${formatCount(more)} more destinations.`] : lines
}

function describeReadUpTo({ readUpTo, timeZone }: Digest | Report): string[] {
  if (readUpTo === null) return []
  const time = formatMoment(readUpTo, timeZone)
  return [`The vendor could last be read on ${time}. What it listed later is in the next digest.`]
}

/** Claims end where the vendor's list was read, or with a day. */
function describeClaims({ claims, ...report }: Report): string[] {
  if (!claims) return describeReadUpTo(report)
  const { timeZone, readUpTo } = report
  const period = formatPeriod({ ...claims, timeZone })
  if (readUpTo === null && period === formatPeriod(report)) return []
  const claimed =
    claims.since === claims.until
      ? `Claims published from ${formatMoment(claims.since, timeZone)} on are in the next digest.`
      : `New claims are those published from ${period}. Later ones are in the next digest.`
  if (readUpTo === null) return [claimed]
  return [`The vendor could last be read on ${formatMoment(readUpTo, timeZone)}. ${claimed}`]
}

/** A digest after an outage holds more than a day or a week. */
function spanOf({ since, until }: Period): { name: string; when: string; before: string } {
  const days = Math.round((Date.parse(until) - Date.parse(since)) / DAY_MS)
  if (days === 1) return { name: 'Daily digest', when: 'on this day', before: 'the day before' }
  if (days === WEEK_DAYS) return { name: 'Weekly digest', when: 'this week', before: 'the week before' }
  const when = days === 0 ? 'in this time' : `in these ${days} days`
  return { name: 'Digest', when, before: days === 0 ? 'before' : `the ${days} days before` }
}

/** `Mon 23 Nov, 08:00 to Mon 30 Nov, 08:00 (Europe/Berlin)`. */
function formatPeriod({ since, until, timeZone }: Period): string {
  return `${formatMoment(since, timeZone)} to ${formatMoment(until, timeZone)} (${timeZone})`
}

/** `Mon 23 Nov, 08:00`. */
export function formatMoment(iso: string, timeZone: string): string {
  const date = { weekday: 'short', day: 'numeric', month: 'short' } as const
  const time = { hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat('en-GB', { ...date, ...time, timeZone }).format(new Date(iso))
}

function countClaims(count: number): string {
  return formatNumber(count, 'claim')
}

export function formatNumber(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

export function formatCount(count: number): string {
  return count.toLocaleString('en')
}
