import type { Threat } from '#contract/bff/threat.ts'
import { type ClaimFact, describeNews, findNewFacts, readClaimFacts } from '#matcher/cases/claim-facts.ts'
import type { HeldMatch } from './evaluation-queries.ts'

/** A claim that a profile matches. */
export type FoundMatch = {
  threat: Threat
  /** Null if the claim has no case yet. Such a claim is compared with no other. */
  caseId: string | null
  /** Sent now (`enqueued`), by a digest or after quiet hours (`waiting`), or not sent because of a mute (`muted`). */
  passing: 'enqueued' | 'waiting' | 'muted'
  /** The record names other victims or actors than before, so an earlier mute may not apply any more. */
  isRenamed: boolean
}

/** How a match is stored and sent. */
type Passing = {
  state: HeldMatch['state']
  /** Identifies the message for each profile and destination. Null if nothing is sent. */
  event: string | null
  /** Says how the claim changes its case. Null for the first claim of the case. */
  news: string | null
  /** A mute holds the match back for the first time. */
  isNewlyMuted: boolean
}

export type MatchDecision = Passing & { id: string; isCritical: boolean; facts: readonly ClaimFact[] }

/**
 * Decides which claims of a profile are sent: the first of each case, and later only claims with a new fact, such as
 * another group. `held` has the stored matches of these claims and of others of their cases. `factsOf` returns the
 * present facts of a record. Returns a decision for each match to be stored.
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
    // A repeated claim may repeat a claim that has left the case since. Only claims that were sent are compared.
    const known = ofCase.filter(({ state }) => state !== 'muted' && state !== 'repeated').flatMap(factsIn)
    const isRise = own?.isCritical === false && facts.some(({ kind }) => kind === 'critical')
    const decision = decideOne({
      one,
      own,
      facts,
      // If all claims of a case came from another case and were not sent, the first claim is sent.
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
  /** No claim of the case was sent. */
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

/** If a record names its own first group later, that is not a new fact. The group of another record is one. */
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

/**
 * Earlier versions stored no facts with a match. It is assumed that all present facts were sent, except a later rise in
 * severity.
 */
function assumeFacts({ isCritical }: HeldMatch, facts: readonly ClaimFact[]): ClaimFact[] {
  return facts.filter(({ kind }) => kind !== 'critical' || isCritical)
}

function byTime({ threat: one }: FoundMatch, { threat: other }: FoundMatch): number {
  const time = ({ publishedAt }: Threat) =>
    publishedAt === null ? Number.POSITIVE_INFINITY : Date.parse(publishedAt)
  return time(one) - time(other) || (one.id < other.id ? -1 : 1)
}
