import type { Threat } from '#contract/bff/threat.ts'
import { type ClaimFact, describeNews, findNewFacts, readClaimFacts } from '#matcher/cases/claim-facts.ts'
import type { HeldMatch } from './evaluation-queries.ts'

/** A claim that a profile matches. */
export type FoundMatch = {
  threat: Threat
  /** Null where cases do not have it yet: it is compared with no other. */
  caseId: string | null
  /** How it would be sent: now, by a digest or after quiet hours, or not at all because of a mute. */
  passing: 'enqueued' | 'waiting' | 'muted'
  /** Its victims or actors are others than before: what was muted may be a match of others now. */
  isRenamed: boolean
}

/** How a match is to be written down, and sent. */
type Passing = {
  state: HeldMatch['state']
  /** Names what is sent, once for each profile and destination; null if nothing is. */
  event: string | null
  /** Says in words how the claim changes its case; null where it is the first of it. */
  news: string | null
  /** A mute keeps it from being sent, for the first time. */
  isNewlyMuted: boolean
}

export type MatchDecision = Passing & { id: string; isCritical: boolean; facts: readonly ClaimFact[] }

/**
 * Decides which claims of a profile are sent: the first of each case, and later only those that say something new of it, such
 * as another group. `held`: the matches of these claims and of the others of their cases, `factsOf`: what their records say
 * now. Returns a decision for each match that is to be written down.
 */
export function decideMatches(
  found: readonly FoundMatch[],
  held: readonly HeldMatch[],
  factsOf: (id: string) => readonly ClaimFact[],
): MatchDecision[] {
  const matches = new Map(held.map((match) => [match.id, match]))
  const factsIn = (match: HeldMatch) => match.facts ?? assumeFacts(match, factsOf(match.id))
  return found.toSorted(byTime).flatMap((one) => {
    const { id } = one.threat
    const facts = readClaimFacts(one.threat)
    const own = matches.get(id)
    const ofCase = [...matches.values()].filter(
      (match) => match.id === id || (one.caseId !== null && match.caseId === one.caseId),
    )
    // A repeated claim may repeat one that was taken out of the case since: only what was sent is known.
    const known = ofCase.filter(({ state }) => state !== 'muted' && state !== 'repeated').flatMap(factsIn)
    const isRise = own?.isCritical === false && facts.some(({ kind }) => kind === 'critical')
    const decision = decideOne({
      one,
      own,
      facts,
      // A case whose claims were all taken out of another one was never sent.
      isFirst: ofCase.every(({ state }) => state === 'muted' || state === 'repeated'),
      news: findNews(facts, known, own),
      isRise,
    })
    if (!decision) return []
    const written = {
      id,
      isCritical: own?.isCritical === true || facts.some(({ kind }) => kind === 'critical'),
      facts: own ? [...factsIn(own), ...findNewFacts(facts, factsIn(own))] : facts,
      ...decision,
    }
    matches.set(id, { ...written, caseId: one.caseId })
    return [written]
  })
}

type Case = {
  one: FoundMatch
  own: HeldMatch | undefined
  facts: readonly ClaimFact[]
  /** Nothing of its case was sent. */
  isFirst: boolean
  news: readonly ClaimFact[]
  isRise: boolean
}

function decideOne({ one, own, facts, isFirst, news, isRise }: Case): Passing | null {
  const { id } = one.threat
  const isMuted = one.passing === 'muted'
  const silent = { event: null, news: null, isNewlyMuted: false }
  if (own?.state === 'muted') {
    if (isMuted || !(one.isRenamed || isRise)) return isRise ? { ...silent, state: 'muted' } : null
    // A claim that repeated one of another case, which it has left, was never sent.
  } else if (own && news.length === 0 && !(own.state === 'repeated' && isFirst)) {
    const isKnown = own.facts !== null && findNewFacts(facts, own.facts).length === 0
    return isKnown ? null : { ...silent, state: own.state }
  }
  if (isMuted) {
    const state = own && own.state !== 'waiting' ? own.state : 'muted'
    return { ...silent, state, isNewlyMuted: true }
  }
  if (isFirst) return { state: one.passing, event: `threat:${id}`, news: null, isNewlyMuted: false }
  const [first] = news
  if (!first) return { ...silent, state: 'repeated' }
  const wasSent = own !== undefined && own.state !== 'muted' && own.state !== 'repeated'
  const named = first.text === '' ? first.kind : `${first.kind} ${first.text}`
  return {
    state: one.passing,
    event: `${wasSent ? named : 'threat'}:${id}`,
    news: describeNews(news),
    isNewlyMuted: false,
  }
}

/** A record that names its own first group later is not news; another record that does is. */
function findNews(
  facts: readonly ClaimFact[],
  known: readonly ClaimFact[],
  own: HeldMatch | undefined,
): ClaimFact[] {
  const isGroupKnown = known.some(({ kind }) => kind === 'actor')
  return findNewFacts(facts, known).filter(
    ({ kind }) => kind !== 'actor' || isGroupKnown || own === undefined,
  )
}

/** A match that was never compared with its case was sent with all that its record says now, but for a later rise. */
function assumeFacts({ isCritical }: HeldMatch, facts: readonly ClaimFact[]): ClaimFact[] {
  return facts.filter(({ kind }) => kind !== 'critical' || isCritical)
}

function byTime({ threat: one }: FoundMatch, { threat: other }: FoundMatch): number {
  const time = ({ publishedAt }: Threat) =>
    publishedAt === null ? Number.POSITIVE_INFINITY : Date.parse(publishedAt)
  return time(one) - time(other) || (one.id < other.id ? -1 : 1)
}
