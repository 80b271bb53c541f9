import type { Message, ToldThreat } from '../message.ts'
import { fitSpace, type Space } from './fit-space.ts'
import { shortenLink } from './outline.ts'
import { tellLine } from './tell-text.ts'

/** The specification advises less than 20 kB. */
const MAX_BYTES = 19_000
const WORDS_MAX_COUNT = 10
const CAUSES_MAX_COUNT = 20

/** The body of a signed webhook, as docs/webhooks.md has it. `now` is the time of this attempt. */
export function writeWebhook(message: Message, now: Date): string {
  return fitSpace(
    (space) =>
      JSON.stringify({
        type: `alert.${message.kind}`,
        timestamp: now.toISOString(),
        data: toData(message, space),
      }),
    (body) => Buffer.byteLength(body) <= MAX_BYTES,
  )
}

function toData(message: Message, space: Space) {
  const tell = (text: string) => tellLine(text, space.textLength)
  if (message.kind === 'notice') {
    return {
      subject: tell(message.subject),
      text: tellLine(message.text, 2_000),
      link: shortenLink(message.link),
    }
  }
  const causes = message.causes
    .slice(0, CAUSES_MAX_COUNT)
    .map(({ name }) => ({ kind: 'profile', name: tell(name) }))
  const caused = { causes, causeCount: message.causes.length, link: shortenLink(message.link) }
  if (message.kind === 'digest') {
    const { since, until, timeZone, count, previousCount, pausedCount } = message
    return {
      ...caused,
      ...{ since, until, timeZone, count, previousCount, pausedCount },
      severities: message.severities.map(({ severity, count: ofIt }) => ({
        severity: severity === null ? null : tell(severity),
        count: ofIt,
      })),
      threats: message.threats.slice(0, 2 * space.threats).map((threat) => toThreat(threat, tell)),
      undelivered: message.undelivered
        .slice(0, CAUSES_MAX_COUNT)
        .map(({ destination, state, count: ofIt, reason }) => ({
          destination: tell(destination),
          state,
          count: ofIt,
          reason: tell(reason),
        })),
    }
  }
  if (message.kind === 'test') {
    return {
      ...caused,
      text: 'This is a test:\nnothing has happened. "Quotes", \'apostrophes\' and a bell: 🔔',
      requestedBy: tell(message.requestedBy),
    }
  }
  return {
    ...caused,
    count: message.count,
    criticalCount: message.criticalCount,
    threats: message.threats.slice(0, space.threats).map((threat) => toThreat(threat, tell)),
  }
}

function toThreat(threat: ToldThreat, tell: (text: string) => string) {
  const tellOr = (text: string | null) => (text === null ? null : tell(text))
  return {
    id: threat.id,
    title: tell(threat.title),
    severity: tellOr(threat.severity),
    category: tellOr(threat.category),
    actor: tellOr(threat.actor),
    victim: tellOr(threat.victim),
    countries: threat.countries.slice(0, WORDS_MAX_COUNT).map(tell),
    publishedAt: tellOr(threat.publishedAt),
    matchedWords: threat.matchedWords.slice(0, WORDS_MAX_COUNT).map(tell),
    change: tellOr(threat.change ?? null),
    link: shortenLink(threat.link),
  }
}
