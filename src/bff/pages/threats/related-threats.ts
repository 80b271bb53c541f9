import type { ReadThreat } from '#bff/store/details/read-threats.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Timed } from '#bff/upstream/cache/cached-answer.ts'
import type { ReadRequest } from '#bff/upstream/cache/read-request.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { RelatedThreats, Relation, ThreatFilter } from '#contract/bff/threat-list.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { holdsKeyword, parseKeyword } from '#matcher/keyword.ts'
import { normaliseTexts } from '#matcher/normalise-text.ts'
import { quoteText } from '#matcher/query/print-query.ts'

const GROUP_MAX_COUNT = 5
/** More than a group holds, since the threat itself and what only mentions a victim are left out. */
const CANDIDATES_COUNT = 50
const SEARCH_MAX_LENGTH = 512
const FRESH_FOR_MS = 15_000

type RelatedDependencies = {
  readThreat: ReadThreat
  store: ThreatStore
}

type SharedValue = { relation: Relation; value: string; filter: ThreatFilter }

/** Other stored threats that share an actor, a victim or a country. */
export async function readRelated(
  { readThreat, store }: RelatedDependencies,
  id: string,
  set: RouteSet | null,
  request: ReadRequest,
): Promise<Timed<RelatedThreats>> {
  const { threat, freshness } = (await store.find(id, set)) ?? (await readThreat(id, set, request)).answer
  const groups = await Promise.all(
    sharedValues(threat).map(async ({ relation, value, filter }) => {
      const candidates = await store.newest(filter, CANDIDATES_COUNT)
      const threats = candidates.filter(
        (other) => !isSame(threat, other) && (relation !== 'victim' || names(other, value)),
      )
      return { relation, value, threats: threats.slice(0, GROUP_MAX_COUNT) }
    }),
  )
  return { answer: { groups, freshness }, freshForMs: FRESH_FOR_MS }
}

/** The first value of each relation, and the filter that finds it. */
function sharedValues({ actors, organizations, countries }: Threat): SharedValue[] {
  const [actor] = actors
  const [victim] = organizations
  const code = countries.find((country) => country.code !== null)?.code
  const phrase = victim && quoteText(victim.slice(0, SEARCH_MAX_LENGTH).toWellFormed())
  const shared: (SharedValue | null)[] = [
    actor ? { relation: 'actor', value: actor, filter: { actor: [actor] } } : null,
    victim ? { relation: 'victim', value: victim, filter: { q: phrase } } : null,
    code ? { relation: 'country', value: code, filter: { country: [code] } } : null,
  ]
  return shared.filter((one) => one !== null)
}

/** The earlier set's lists hold no organisations: there the title or the excerpt must name it. */
function names({ organizations, title, excerpt }: Threat, victim: string): boolean {
  const keyword = parseKeyword(victim)
  const texts = [...organizations, title ?? '', excerpt ?? '']
  return keyword ? holdsKeyword(normaliseTexts(texts), keyword) : texts.includes(victim)
}

/** The record itself, also where the other set knows it by another id. */
function isSame(threat: Threat, other: Threat): boolean {
  const isTwin =
    threat.title !== null && threat.title === other.title && threat.publishedAt === other.publishedAt
  return threat.id === other.id || isTwin
}
