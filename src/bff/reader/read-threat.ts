import { type Threat, threatIdSchema } from '#contract/bff/threat.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { Fields } from './fields.ts'
import { readCountries, toCountry } from './read-country.ts'
import { readName, readNames, readText, readTime } from './read-value.ts'
import type { Redaction } from './redaction.ts'

const NAMES = {
  id: ['id', 'threatid', 'recordid', 'uuid'],
  title: ['title', 'headline', 'name'],
  excerpt: ['excerpt', 'summary', 'description', 'snippet', 'abstract'],
  category: ['category', 'threatcategory', 'threattype', 'type'],
  severity: ['severity', 'risklevel', 'risk', 'threatlevel'],
  actors: ['threatactors', 'threatactor', 'actors', 'actor', 'groups', 'group', 'threatgroup'],
  victims: ['victims', 'victim', 'targets', 'target'],
  countries: ['countries', 'victimcountries', 'country'],
  countryCode: ['countrycode'],
  industries: ['industries', 'industry', 'sectors', 'sector'],
  organizations: ['organizations', 'organisations', 'organization', 'organisation', 'companies', 'company'],
  domains: ['domains', 'domain', 'websites', 'website'],
  publishedAt: [
    'publishedat',
    'postedat',
    'published',
    'posted',
    'publisheddate',
    'date',
    'discoveredat',
    'createdat',
  ],
} as const

/** What a record of either route set says, field by field; what it does not take stays in `fields`. */
export function readThreat(set: RouteSet, fields: Fields, redaction: Redaction): Threat | null {
  const id = fields.take(NAMES.id, readId)
  if (id === null) return null
  const victims = fields.open(NAMES.victims)
  const inVictims = (names: readonly string[]) =>
    victims?.take(names, readNames) ?? fields.take(names, readNames)

  return {
    id,
    set,
    title: redaction.text('title', fields.take(NAMES.title, readText)),
    excerpt: redaction.text('excerpt', fields.take(NAMES.excerpt, readText)),
    category: fields.take(NAMES.category, readName),
    severity: fields.take(NAMES.severity, readName),
    actors: fields.take(NAMES.actors, readNames) ?? [],
    countries: victims?.take(NAMES.countries, readCountries) ?? ownCountries(fields),
    industries: inVictims(NAMES.industries) ?? [],
    organizations: redaction.texts(
      'organizations',
      inVictims(NAMES.organizations) ?? fields.take(NAMES.victims, readNames),
    ),
    domains: redaction.texts('domains', inVictims(NAMES.domains)),
    publishedAt: fields.take(NAMES.publishedAt, readTime),
    redacted: redaction.fields,
  }
}

/** Ids are text from end to end; a number too large for JSON's readers has lost digits already. */
export function readId(value: unknown): string | null {
  const text = Number.isSafeInteger(value) ? String(value) : value
  const { success, data } = threatIdSchema.safeParse(text)
  return success ? data : null
}

/** The earlier set gives one country as a name and a code. */
function ownCountries(fields: Fields): Threat['countries'] {
  const code = fields.take(NAMES.countryCode, readText)
  const countries = fields.take(NAMES.countries, readCountries)
  const [first, ...others] = countries ?? []
  const country = toCountry(code, first?.name ?? null)
  return country ? [country, ...others] : []
}
