import { describeConcern } from '#contract/bff/describe-concern.ts'
import { SEVERITIES } from '#contract/severity.ts'
import type { Digest, Matches, Message, MessageCause, NotifiedThreat, Report } from '../message.ts'
import { casesOf, describeDigest, describeReport, formatCount } from './describe-digest.ts'
import type { Space } from './fit-space.ts'
import { formatLine, formatList, formatTime } from './format-text.ts'

/** A channel shows these texts of a threat. All of them are inert. */
export type ModelThreat = {
  /** Heading of the part of the message that begins with it; null if none does. */
  section: string | null
  /** Capital first: `Critical`. Null where the vendor says none. */
  severity: string | null
  isCritical: boolean
  title: string
  link: string
  /** `“acme”, “lock bit” and 2 more`; null where no word is known. */
  matched: string | null
  facts: readonly { label: string; value: string }[]
}

/** Every channel renders this model. No text in it is live or invisible; a channel escapes only its own markup. */
export type MessageModel = {
  /** An inbox and a notification show this line, the most important words first. */
  subject: string
  /** Null where the one threat's title is it. */
  heading: string | null
  /** Names the profiles behind the message: `profile “Acme” and profile “France”`; null if there are none. */
  causes: string | null
  /** Lines, each inert. */
  paragraphs: readonly string[]
  threats: readonly ModelThreat[]
  /** `12 more, 3 of them critical`, of those without a place here. */
  more: string | null
  link: { label: string; url: string }
}

export type Footer = {
  lines: readonly string[]
  /** The recipient stops such messages here; null if nobody can. */
  stopUrl: string | null
}

type TestMessage = Extract<Message, { kind: 'test' }>

const CONCERNS_LABEL = 'Concerns us'
const CAUSES_MAX_COUNT = 3
const WORDS_MAX_COUNT = 5
const COUNTRIES_MAX_COUNT = 3
const SUBJECT_MAX_LENGTH = 140
/** A subject's names are cut until it is as short: inboxes show no more of it. */
const SUBJECT_FIT_LENGTH = 100
const SUBJECT_NAME_LENGTHS = [80, 60, 40, 30, 20]
const SEVERITY_MAX_LENGTH = 20
export const LINK_MAX_LENGTH = 2_000
const NOTICE_MAX_LINES = 40

/** Several lines, quotes, brackets and an emoji: what templates of the other side most often stumble over. */
const TEST_LINES = [
  'This is a test: nothing has happened, and there is nothing to do.',
  '"Quotes", \'apostrophes\', <brackets>, {braces}, an & and a bell 🔔 arrive as they are.',
]

export function createMessageModel(message: Message, space: Space): MessageModel {
  const nameLength = Math.ceil(space.textLength / 2)
  switch (message.kind) {
    case 'matches':
      return modelOfMatches(message, space)
    case 'digest':
      return modelOfDigest(message, space)
    case 'test':
      return {
        subject: '[Lantern] Test of Lantern’s alerts',
        heading: 'Test of Lantern’s alerts',
        causes: formatCauses(message.causes, nameLength),
        paragraphs: [
          ...proofLines(message, space),
          ...TEST_LINES,
          message.requestedBy === null
            ? 'It is sent every week.'
            : `Asked for by ${formatLine(message.requestedBy, nameLength)}`,
        ],
        threats: [],
        more: null,
        link: { label: 'Open in Lantern', url: shortenLink(message.link) },
      }
    case 'notice': {
      if (message.report) return modelOfReport(message.report, message.link, space)
      const lines = message.text.split(/\r?\n/).filter((line) => line.trim() !== '')
      const shown = lines.slice(0, NOTICE_MAX_LINES).map((line) => formatLine(line, space.textLength * 2))
      return {
        subject: formatLine(`[Lantern] ${message.subject}`, SUBJECT_MAX_LENGTH),
        heading: formatLine(message.subject, space.textLength),
        causes: null,
        paragraphs: lines.length > shown.length ? [...shown, '…'] : shown,
        threats: [],
        more: null,
        link: { label: 'Open Lantern', url: shortenLink(message.link) },
      }
    }
  }
}

function proofLines({ proof, concerns }: TestMessage, { textLength }: Space): string[] {
  if (proof === undefined) return []
  const concern = formatConcerns(concerns, textLength)
  return [
    'Proof: this stored record is the newest that matches. It is not new.',
    formatLine(proof, textLength),
    ...(concern === null ? [] : [`${CONCERNS_LABEL}: ${concern}`]),
  ]
}

function modelOfMatches(message: Matches, space: Space): MessageModel {
  const { count, criticalCount } = message
  const shown = message.threats.slice(0, space.threats)
  const threats = shown.map((threat) => modelOfThreat(threat, space.textLength))
  const [first] = threats
  const sum = `${formatCount(count)} new ${count === 1 ? 'match' : 'matches'}`
  const heading = criticalCount > 0 && count > 1 ? `${sum}, ${formatCount(criticalCount)} critical` : sum
  const more = Math.max(count - shown.length, 0)
  const criticalMore = Math.max(criticalCount - threats.filter(({ isCritical }) => isCritical).length, 0)
  return {
    subject: writeSubject(message, heading),
    heading: count === 1 && first ? null : heading,
    causes: formatCauses(message.causes, Math.ceil(space.textLength / 2)),
    paragraphs: [],
    threats,
    more:
      more === 0
        ? null
        : `${formatCount(more)} more${criticalMore > 0 ? `, ${formatCount(criticalMore)} critical` : ''}`,
    link:
      count === 1 && first
        ? { label: 'Open in Lantern', url: first.link }
        : { label: `Show all ${formatCount(count)} in Lantern`, url: shortenLink(message.link) },
  }
}

/**
 * `Critical: Okapi Ltd, claimed by qilin (+3 more) · Acme and suppliers`, of the most important match. News of its case takes
 * the place of the group. Only names are cut.
 */
function writeSubject({ threats: [first], causes, count }: Matches, heading: string): string {
  if (!first) return heading
  const { severity, victim, actor, news } = first
  const lead = severity === null ? 'New match' : formatSeverity(severity, SEVERITY_MAX_LENGTH)
  const more = count > 1 ? ` (+${formatCount(count - 1)} more)` : ''
  const write = (length: number) => {
    const format = (text: string) => formatLine(text, length)
    const claimed = victim?.trim() && actor?.trim() ? `, claimed by ${format(actor)}` : ''
    const by = news ? `, ${format(news)}` : claimed
    const profiles = formatList(causes, 1, ({ name }) => format(name))
    return `${lead}: ${format(victim?.trim() || titleOf(first))}${by}${more}${profiles && ` · ${profiles}`}`
  }
  const lengths = SUBJECT_NAME_LENGTHS
  const length = lengths.find((one) => write(one).length <= SUBJECT_FIT_LENGTH) ?? lengths.at(-1) ?? 1
  return formatLine(write(length), SUBJECT_MAX_LENGTH)
}

function modelOfDigest(message: Digest, space: Space): MessageModel {
  const { subject, heading, paragraphs } = describeDigest(message, space.textLength)
  const { count, concernCount, newest } = casesOf(message)
  // Nothing in it is urgent, so that it may be longer.
  const shown = newest.slice(0, 2 * space.threats)
  const more = count - shown.length
  return {
    subject: formatLine(`[Lantern] ${subject}`, SUBJECT_MAX_LENGTH),
    heading,
    causes: null,
    paragraphs,
    threats: shown.map((threat, at) => ({
      ...modelOfThreat(threat, space.textLength),
      section: sectionAt(newest, concernCount, at),
    })),
    more: more > 0 ? `${formatCount(more)} more` : null,
    link: {
      label:
        count === 0 || !message.isLinkExact
          ? 'Open the search in Lantern'
          : `Show ${count === 1 ? 'it' : `all ${formatCount(count)}`} in Lantern`,
      url: shortenLink(message.link),
    },
  }
}

function modelOfReport(report: Report, link: string, space: Space): MessageModel {
  const { subject, heading, paragraphs } = describeReport(report, space.textLength)
  return {
    subject: formatLine(`[Lantern] ${subject}`, SUBJECT_MAX_LENGTH),
    heading,
    causes: null,
    paragraphs,
    threats: report.parts.flatMap(({ title, figure, count, lines }) => {
      const shown = lines.slice(0, 2 * space.threats)
      const more = count > shown.length ? `, ${formatCount(shown.length)} shown` : ''
      return shown.map((line, at) =>
        modelOfLine(line, at === 0 ? `${title} (${figure}${more})` : null, space),
      )
    }),
    more: null,
    link: { label: 'Open in Lantern', url: shortenLink(link) },
  }
}

function modelOfLine(
  { severity, title, link, facts }: Report['parts'][number]['lines'][number],
  section: string | null,
  { textLength }: Space,
): ModelThreat {
  return {
    section,
    severity: severity === null ? null : formatSeverity(severity, SEVERITY_MAX_LENGTH),
    isCritical: severity === 'critical',
    title: formatLine(title, textLength),
    link: shortenLink(link),
    matched: null,
    facts: facts.map(({ label, value }) => ({ label, value: formatLine(value, textLength) })),
  }
}

/** Threats that concern the receiver are one part, the others another. Without the former, there are no parts. */
function sectionAt(threats: readonly NotifiedThreat[], concernCount: number, at: number): string | null {
  const isConcern = (index: number) => threats[index]?.concerns !== undefined
  if (concernCount === 0 || (at > 0 && isConcern(at) === isConcern(at - 1))) return null
  return isConcern(at) ? `${CONCERNS_LABEL} (${formatCount(concernCount)})` : 'Other matches'
}

/** `claimCount`: claims of its case in the message. */
function modelOfThreat(threat: NotifiedThreat & { claimCount?: number }, textLength: number): ModelThreat {
  const nameLength = Math.ceil(textLength / 2)
  const format = (text: string) => formatLine(text, nameLength)
  const { matchedWords, countries, claimCount = 1 } = threat
  const concern = formatConcerns(threat.concerns, textLength)
  const facts = [
    ['New', threat.news ?? null],
    ['Update', threat.change ?? null],
    ['Claims', claimCount === 1 ? null : formatCount(claimCount)],
    ['Victim', threat.victim],
    ['Actor', threat.actor],
    ['Country', countries.length === 0 ? null : formatList(countries, COUNTRIES_MAX_COUNT, format)],
    ['Category', threat.category],
    ['Published', threat.publishedAt === null ? null : formatIso(threat.publishedAt)],
  ] as const
  return {
    section: null,
    severity: threat.severity === null ? null : formatSeverity(threat.severity, nameLength),
    isCritical: threat.severity === 'critical',
    title: formatLine(titleOf(threat), textLength),
    link: shortenLink(threat.link),
    matched:
      matchedWords.length === 0
        ? null
        : formatList(matchedWords, WORDS_MAX_COUNT, (word) => `“${format(word)}”`),
    facts: [
      ...(concern === null ? [] : [{ label: CONCERNS_LABEL, value: concern }]),
      ...facts.flatMap(([label, value]) =>
        value === null || value.trim() === '' ? [] : [{ label, value: format(value) }],
      ),
    ],
  }
}

/** The strongest reason, and how many more there are; null where no list matches. */
function formatConcerns(concerns: NotifiedThreat['concerns'], maxLength: number): string | null {
  const [first, ...others] = concerns ?? []
  if (!first) return null
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `${formatLine(describeConcern(first), maxLength - more.length)}${more}`
}

function titleOf({ title }: NotifiedThreat): string {
  return title.trim() === '' ? 'Untitled threat' : title
}

function formatCauses(causes: readonly MessageCause[], nameLength: number): string | null {
  if (causes.length === 0) return null
  const format = ({ name }: MessageCause) => `profile “${formatLine(name, nameLength)}”`
  return formatList(causes, CAUSES_MAX_COUNT, format)
}

function formatSeverity(severity: string, maxLength: number): string {
  const isKnown = SEVERITIES.some((known) => known === severity)
  const shown = formatLine(severity, maxLength)
  return isKnown ? `${shown.charAt(0).toUpperCase()}${shown.slice(1)}` : shown
}

function formatIso(iso: string): string {
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? iso : formatTime(time)
}

/** Some channels refuse longer links. The link then leads to the page without its query. */
export function shortenLink(link: string): string {
  return link.length <= LINK_MAX_LENGTH ? link : `${new URL(link).origin}/`
}
