import type { Digest, Message, MessageCause, NotifiedThreat } from '../message.ts'
import { fitSpace, type Space } from './fit-space.ts'
import { formatLine } from './format-text.ts'
import { shortenLink } from './message-model.ts'

/** The specification advises less than 20 kB. */
const MAX_BYTES = 19_000
/** The rest of a body has 3.3 kB at most. */
const THREATS_MAX_BYTES = 15_700
const THREATS_MAX_COUNT = 50
const CAUSES_MAX_BYTES = 1_000
const CAUSES_MAX_COUNT = 20
const TEXT_LENGTH = 300
/** The length of a profile's or country's name, or of a word. */
const NAME_LENGTH = 60
const NAMES_MAX_COUNT = 10
const CONCERNS_MAX_COUNT = 3

/**
 * All threats of a message, in the pages that it is sent in. The same threats are the same pages, so that a page is known by
 * its number at each attempt.
 */
export function divideIntoPages(threats: readonly NotifiedThreat[]): NotifiedThreat[][] {
  const pages: NotifiedThreat[][] = []
  let room = 0
  for (const threat of threats) {
    const size = sizeOf(toThreat(threat))
    const page = pages.at(-1)
    if (page && size <= room && page.length < THREATS_MAX_COUNT) {
      page.push(threat)
      room -= size
    } else {
      pages.push([threat])
      room = THREATS_MAX_BYTES - size
    }
  }
  return pages
}

/** The body of a signed webhook, as docs/using/webhooks.md has it. `now` is the time of this attempt; pages count from 1. */
export function writeWebhook(message: Message, now: Date, page = 1): string {
  const write = (data: object) =>
    JSON.stringify({ type: `alert.${message.kind}`, timestamp: now.toISOString(), data })
  if (message.kind !== 'digest') return write(toData(message, page))
  return fitSpace(
    (space) => write(toDigest(message, space)),
    (body) => Buffer.byteLength(body) <= MAX_BYTES,
  )
}

export function pagesOf(message: Message): readonly (readonly NotifiedThreat[])[] {
  return message.kind === 'matches' ? (message.pages ?? divideIntoPages(message.threats)) : [[]]
}

function toData(message: Exclude<Message, Digest>, page: number) {
  const format = (text: string) => formatLine(text, TEXT_LENGTH)
  if (message.kind === 'notice') {
    return {
      subject: format(message.subject),
      text: formatLine(message.text, 2_000),
      link: shortenLink(message.link),
    }
  }
  if (message.kind === 'test') {
    return {
      ...toCaused(message),
      text: 'This is a test:\nnothing has happened. "Quotes", \'apostrophes\' and a bell: 🔔',
      requestedBy: message.requestedBy && format(message.requestedBy),
      ...(message.proof !== undefined && { proof: format(message.proof) }),
      ...toConcerns(message.concerns),
    }
  }
  const pages = pagesOf(message)
  return {
    ...toCaused(message),
    count: message.count,
    criticalCount: message.criticalCount,
    page,
    pages: pages.length,
    threats: pages[page - 1]?.map((threat) => toThreat(threat)) ?? [],
  }
}

/** Shorter where there is not enough room: a digest is one request. */
function toDigest(message: Digest, { threats, textLength }: Space) {
  const format = (text: string) => formatLine(text, textLength)
  const {
    since,
    until,
    timeZone,
    count,
    previousCount,
    pausedCount,
    mutedCount,
    repeatedCount,
    readUpTo,
    concernCount,
  } = message
  return {
    ...toCaused(message),
    since,
    until,
    timeZone,
    count,
    previousCount,
    pausedCount,
    mutedCount,
    repeatedCount,
    readUpTo,
    severities: toSeverities(message.severities, textLength),
    concernCount,
    threats: message.threats.slice(0, 2 * threats).map((threat) => toThreat(threat, textLength)),
    ...toCases(message, { threats, textLength }),
    undelivered: message.undelivered
      .slice(0, CAUSES_MAX_COUNT)
      .map(({ destination, state, count: ofIt, reason }) => ({
        destination: format(destination),
        state,
        count: ofIt,
        reason: format(reason),
      })),
  }
}

/** Absent of a digest that an earlier Lantern wrote. */
function toCases({ cases }: Digest, { threats, textLength }: Space) {
  return cases
    ? {
        caseCount: cases.count,
        previousCaseCount: cases.previousCount,
        caseSeverities: toSeverities(cases.severities, textLength),
        concernCaseCount: cases.concernCount,
        cases: cases.newest.slice(0, 2 * threats).map((newest) => ({
          ...(newest.caseId && { caseId: newest.caseId }),
          claimCount: newest.claimCount,
          severity: newest.severity === null ? null : formatLine(newest.severity, textLength),
          victim: newest.victim === null ? null : formatLine(newest.victim, textLength),
          title: formatLine(newest.title, textLength),
          id: newest.id,
          link: shortenLink(newest.link),
        })),
      }
    : {}
}

function toSeverities(severities: Digest['severities'], textLength: number) {
  return severities.map(({ severity, count }) => ({
    severity: severity === null ? null : formatLine(severity, textLength),
    count,
  }))
}

function toCaused({ causes, link }: { causes: readonly MessageCause[]; link: string }) {
  return { causes: toCauses(causes), causeCount: causes.length, link: shortenLink(link) }
}

function toCauses(causes: readonly MessageCause[]) {
  let room = CAUSES_MAX_BYTES
  return causes
    .slice(0, CAUSES_MAX_COUNT)
    .map(({ name }) => ({ kind: 'profile', name: formatLine(name, NAME_LENGTH) }))
    .filter((cause) => {
      room -= sizeOf(cause)
      return room >= 0
    })
}

function toThreat(threat: NotifiedThreat, textLength = TEXT_LENGTH) {
  const format = (text: string) => formatLine(text, textLength)
  const formatOr = (text: string | null) => (text === null ? null : format(text))
  const formatNames = (names: readonly string[]) =>
    names.slice(0, NAMES_MAX_COUNT).map((name) => formatLine(name, Math.min(NAME_LENGTH, textLength)))
  return {
    id: threat.id,
    title: format(threat.title),
    severity: formatOr(threat.severity),
    category: formatOr(threat.category),
    actor: formatOr(threat.actor),
    victim: formatOr(threat.victim),
    countries: formatNames(threat.countries),
    publishedAt: formatOr(threat.publishedAt),
    matchedWords: formatNames(threat.matchedWords),
    change: formatOr(threat.change ?? null),
    ...toCase(threat),
    ...toConcerns(threat.concerns),
    link: shortenLink(threat.link),
  }
}

/** Receivers update what they made of the same case before. Absent of threats that an earlier Lantern wrote down. */
function toCase({ caseId, news }: NotifiedThreat) {
  return caseId ? { caseId, news: news ? formatLine(news, TEXT_LENGTH) : null } : {}
}

/** Absent without one: pages of threats that an earlier Lantern wrote down stay the same. */
function toConcerns(concerns: NotifiedThreat['concerns']) {
  const shown = concerns?.slice(0, CONCERNS_MAX_COUNT).map(({ kind, certainty, rule, ...names }) => ({
    kind,
    list: formatLine(names.listName, NAME_LENGTH),
    entry: formatLine(names.entryName, NAME_LENGTH),
    certainty,
    rule,
    text: formatLine(names.text, NAME_LENGTH),
  }))
  return shown ? { concerns: shown } : {}
}

/** The size includes a comma. */
function sizeOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value)) + 1
}
