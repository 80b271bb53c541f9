import type { Threat } from '#contract/bff/threat.ts'
import type { ThreatFacets, ThreatFilter } from '#contract/bff/threat-list.ts'
import { normaliseText, normaliseTexts } from '#matcher/normalise-text.ts'

/** The filters that match one of a record's own values. */
export type FacetName = keyof ThreatFacets
export const FACET_NAMES = ['category', 'country', 'actor', 'industry', 'severity'] as const

/** A value by which records are filtered and counted, and how it was written. */
export type Term = { term: string; value: string }

/** Longer values fit no filter, and no index. */
const VALUE_MAX_LENGTH = 512

/** The terms of a record, each once, whatever its letter case, accents and widths. */
export function termsOf(threat: Threat): Term[] {
  const values: Record<FacetName, readonly (string | null)[]> = {
    category: [threat.category],
    country: threat.countries.map(({ code }) => code),
    actor: threat.actors,
    industry: threat.industries,
    severity: [threat.severity],
  }
  const terms = FACET_NAMES.flatMap((name) =>
    values[name].flatMap((value) => {
      const term = value === null ? null : toTerm(name, value)
      return term === null || value === null ? [] : [{ term, value }]
    }),
  )
  return [...new Map(terms.map((term) => [term.term, term])).values()]
}

/** The terms that match a filter: for each name, any of these. Names that are not filtered by are left out. */
export function wantedTerms(filter: ThreatFilter): Map<FacetName, string[]> {
  const used = FACET_NAMES.filter((name) => (filter[name]?.length ?? 0) > 0)
  return new Map(
    used.map((name) => [name, (filter[name] ?? []).flatMap((value) => toTerm(name, value) ?? [])]),
  )
}

/** What a search reads of a record, as the matcher writes it. */
export function searchedText(threat: Threat): string {
  return normaliseTexts([
    threat.title ?? '',
    threat.excerpt ?? '',
    ...threat.actors,
    ...threat.organizations,
    ...threat.domains,
    ...threat.industries,
    ...threat.countries.map(({ name }) => name),
  ])
}

function toTerm(name: FacetName, value: string): string | null {
  const folded = normaliseText(value).trim() || value
  const term = `${name}:${name === 'country' ? value.toUpperCase() : folded}`
  return value.length <= VALUE_MAX_LENGTH && term.length <= VALUE_MAX_LENGTH ? term : null
}
