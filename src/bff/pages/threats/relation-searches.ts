import type { Threat } from '#contract/bff/threat.ts'
import type { Relation, ThreatFilter } from '#contract/bff/threat-list.ts'
import { holdsKeyword, parseKeyword } from '#matcher/keyword.ts'
import { normaliseText, normaliseTexts } from '#matcher/normalise-text.ts'
import { quoteText } from '#matcher/query/print-query.ts'

const SEARCH_MAX_LENGTH = 512

export type RelationSearch = {
  relation: Relation
  value: string
  /** What finds candidates at the vendor's. */
  filter: ThreatFilter
  /** What finds them in the window. */
  storedFilter: ThreatFilter
  /** Whether a candidate really shares the value: a search finds more than that. */
  isShared(other: Threat): boolean
}

/** The searches that find related threats: one for each relation that the threat has a value for. */
export function relationSearches({ actors, organizations, countries }: Threat): RelationSearch[] {
  const [actor] = actors
  const [victim] = organizations
  const code = countries.find((country) => country.code !== null)?.code ?? null
  const searches: RelationSearch[] = []
  if (actor) {
    const filters = { filter: search(actor), storedFilter: { actor: [actor] } }
    searches.push({ relation: 'actor', value: actor, ...filters, isShared: hasActor(actor) })
  }
  if (victim) {
    const filters = { filter: search(victim), storedFilter: phrase(victim) }
    searches.push({ relation: 'victim', value: victim, ...filters, isShared: names(victim) })
  }
  if (code) {
    const isShared = (other: Threat) => other.countries.some((country) => country.code === code)
    const filter = { country: [code] }
    searches.push({ relation: 'country', value: code, filter, storedFilter: filter, isShared })
  }
  return searches
}

function search(value: string): ThreatFilter {
  // Quotes mean a phrase to one service and themselves to another.
  return { q: value.replaceAll('"', ' ').slice(0, SEARCH_MAX_LENGTH).toWellFormed() }
}

function phrase(value: string): ThreatFilter {
  return { q: quoteText(value.slice(0, SEARCH_MAX_LENGTH).toWellFormed()) }
}

function hasActor(actor: string): (other: Threat) => boolean {
  const wanted = normaliseText(actor) || actor
  return ({ actors }) => actors.some((other) => (normaliseText(other) || other) === wanted)
}

/** The earlier set's lists hold no organisations: there the title or the excerpt must name it. */
function names(victim: string): (other: Threat) => boolean {
  const keyword = parseKeyword(victim)
  return ({ organizations, title, excerpt }) => {
    const texts = [...organizations, title ?? '', excerpt ?? '']
    return keyword ? holdsKeyword(normaliseTexts(texts), keyword) : texts.includes(victim)
  }
}
