import { createHash } from 'node:crypto'
import { describeConcern } from '#contract/bff/describe-concern.ts'
import type { Concern } from '#contract/bff/list-match.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { cutText } from '#contract/cut-text.ts'
import { defang, defangProse } from '#contract/defang.ts'

// XML 1.0 does not allow these characters (section 2.2), or they would change the direction of the text around them.
const INVALID_IN_XML =
  /[^\t\n\r\x20-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]|[\u202a-\u202e\u2066-\u2069]/gu
const TITLE_MAX_LENGTH = 300
const SUMMARY_MAX_LENGTH = 2_000

/** A threat and the entries of shared lists that it matches. */
export type AtomThreat = Threat & { concerns?: readonly Concern[] }

export type AtomFeed = {
  /** Stable, and no address. */
  id: string
  title: string
  /** The address of the feed itself, and its page's. */
  selfUrl: string
  pageUrl: string
  /** ISO 8601 UTC. */
  updatedAt: string
  threats: readonly AtomThreat[]
  /** Origin of the pages that entries lead to. */
  origin: string
}

/** An Atom feed (RFC 4287). Third-party text is plain text in it, with no address that a reader would make a link. */
export function writeAtom(feed: AtomFeed): string {
  const { id, title, selfUrl, pageUrl, updatedAt, threats } = feed
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', id),
    element('title', title),
    element('updated', updatedAt),
    `<author>${element('name', 'Lantern')}</author>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(selfUrl)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(pageUrl)}"/>`,
    ...threats.map((threat) => entry(threat, feed)),
    '</feed>',
    '',
  ].join('\n')
}

/** A name that stays the same wherever Lantern lives: readers know by it what they have shown before. */
export function toUrn(kind: string, name: string): string {
  const hex = createHash('sha256').update(`lantern\n${kind}\n${name}`).digest('hex')
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16)
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
  ]
  return `urn:uuid:${groups.join('-')}-${hex.slice(20, 32)}`
}

function entry(threat: AtomThreat, { origin, updatedAt }: AtomFeed): string {
  const { id, set, title, category, publishedAt } = threat
  const link = `${origin}/threats/${pathSegment(id)}?set=${set}`
  return [
    '<entry>',
    element('id', toUrn('threat', `${set}\n${id}`)),
    element('title', cut(defangProse(title ?? 'Untitled threat'), TITLE_MAX_LENGTH)),
    element('updated', publishedAt ?? updatedAt),
    ...(publishedAt === null ? [] : [element('published', publishedAt)]),
    `<link rel="alternate" type="text/html" href="${escapeXml(link)}"/>`,
    ...(category === null ? [] : [`<category term="${escapeXml(defangProse(category))}"/>`]),
    element('summary', cut(summarise(threat), SUMMARY_MAX_LENGTH)),
    '</entry>',
  ].join('\n')
}

function summarise({
  severity,
  actors,
  countries,
  industries,
  organizations,
  domains,
  excerpt,
  concerns = [],
}: AtomThreat): string {
  const facts = [
    ['Severity', severity === null ? [] : [severity]],
    ['Actors', actors],
    ['Organisations', organizations],
    ['Domains', domains.map(defang)],
    ['Countries', countries.map(({ name }) => name)],
    ['Industries', industries],
  ] as const
  const lines = facts.flatMap(([label, values]) =>
    values.length > 0 ? [`${label}: ${defangProse(values.join(', '))}`] : [],
  )
  const concernLines = concerns.length > 0 ? [`Concerns us: ${concerns.map(describeConcern).join('; ')}`] : []
  return [...concernLines, ...lines, ...(excerpt === null ? [] : [defangProse(excerpt)])].join('\n')
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`
}

function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(INVALID_IN_XML, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Between words; within one only where there is no other. */
function cut(text: string, maxLength: number): string {
  const whole = cutText(text, maxLength)
  return whole === '…' ? `${text.slice(0, maxLength - 1)}…` : whole
}
