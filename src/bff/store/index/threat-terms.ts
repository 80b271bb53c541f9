import { LIST_PARTS, type RedactableField, type Threat } from '#contract/bff/threat.ts'
import { FACET_NAMES, type FacetName, type ThreatFilter } from '#contract/bff/threat-list.ts'
import { foldValue, normaliseText, normaliseTexts } from '#matcher/normalise-text.ts'

/** A value by which records are filtered and counted, and how it was written. */
export type Term = { term: string; value: string }

const WITHHELD: Readonly<Partial<Record<RedactableField, 'victim' | 'domain'>>> = {
  organizations: 'victim',
  domains: 'domain',
}

/** Marks a row whose full text is searched as well. No filter uses it. */
export const FULL_TEXT_TERM = 'fullText:'

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
  const distinct = [...new Map(terms.map((term) => [term.term, term])).values()]
  const others = [...termsOfParts(threat), ...termsOfWithheld(threat.redacted)]
  return [...distinct, ...others.map((term) => ({ term, value: term }))]
}

/** Names of which the plan withholds the values, as terms that no filter has: they are there, and nobody can read them. */
export function termsOfWithheld(redacted: Threat['redacted']): string[] {
  return redacted.flatMap((field) => {
    const name = WITHHELD[field]
    return name ? [`withheld:${name}`] : []
  })
}

/** Parts that its list reports of a record, as terms that no filter has: `has:analysis`, `source:forum example`. */
function termsOfParts({ listSays: { source, ...parts } = {} }: Threat): string[] {
  const terms = LIST_PARTS.filter((part) => parts[part]).map((part) => `has:${part}`)
  return source ? [...terms, `source:${foldValue(source)}`] : terms
}

/** The part of a filter that terms stand for. */
export type ValueFilter = { [name in FacetName]?: ThreatFilter[name] }

/** The terms that match a filter: for each name, any of these. Names that are not filtered by are left out. */
export function wantedTerms(filter: ValueFilter): Map<FacetName, string[]> {
  const used = FACET_NAMES.filter((name) => (filter[name]?.length ?? 0) > 0)
  return new Map(
    used.map((name) => [name, (filter[name] ?? []).flatMap((value) => toTerm(name, value) ?? [])]),
  )
}

/** Returns the text of a record that the matcher searches. */
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

/** Texts of a record in the order in which they are searched; those that hold no word are none. */
export type FieldTexts = { victims: number; domains: number; industries: number; places: number }

type Named = Pick<Threat, 'organizations' | 'domains' | 'industries' | 'countries'>

/** Counts the last searched texts by kind. */
export function countFieldTexts({ organizations, domains, industries, countries }: Named): FieldTexts {
  const count = (texts: readonly string[]) => texts.filter(hasWord).length
  return {
    victims: count(organizations),
    domains: count(domains),
    industries: count(industries),
    places: count(countries.map(({ name }) => name)),
  }
}

/** The prefix of `FieldTexts`, the last of a stored record's terms: the record need not be parsed to count them. */
export const FIELD_TEXTS = 'fieldTexts:'

export function formatFieldTexts({ victims, domains, industries, places }: FieldTexts): string {
  return `${FIELD_TEXTS}${[victims, domains, industries, places].join()}`
}

/** Null where a term is no such thing. */
export function parseFieldTexts(term: string | undefined): FieldTexts | null {
  if (!term?.startsWith(FIELD_TEXTS)) return null
  const [victims = 0, domains = 0, industries = 0, places = 0] = term
    .slice(FIELD_TEXTS.length)
    .split(',')
    .map(Number)
  return { victims, domains, industries, places }
}

/** Nearly every text has such a letter: then the others need no look. */
function hasWord(text: string): boolean {
  return /[a-z\d]/i.test(text) || normaliseText(text) !== ''
}

function toTerm(name: FacetName, value: string): string | null {
  const folded = normaliseText(value).trim() || value
  const term = `${name}:${name === 'country' ? value.toUpperCase() : folded}`
  return value.length <= VALUE_MAX_LENGTH && term.length <= VALUE_MAX_LENGTH ? term : null
}
