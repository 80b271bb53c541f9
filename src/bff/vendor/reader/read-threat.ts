import type * as z from 'zod/mini'
import { type Threat, type threatCountrySchema, threatIdSchema } from '#contract/bff/threat.ts'
import { readCountryCode } from '#contract/read-country-code.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { FieldNames } from './field-names.ts'
import { Fields } from './fields.ts'
import { listOf, readName, readNames, readText, readTime } from './read-value.ts'
import type { Redaction } from './redaction.ts'

export const THREAT_NAMES = {
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
  content: ['content', 'body', 'fulltext', 'text'],
  sourceUrl: ['sourceurl', 'sourcelink', 'url', 'link'],
  analysis: ['aianalysis', 'analysis', 'threatanalysis', 'assessment', 'ai'],
  evidence: ['evidence', 'screenshots', 'images', 'attachments'],
} as const

export type ThreatNames = FieldNames<keyof typeof THREAT_NAMES>

/** What a record of either route set says, field by field; what it does not take stays in `fields`. */
export function readThreat(
  set: RouteSet,
  fields: Fields,
  { names, redaction }: { names: ThreatNames; redaction: Redaction },
): Threat | null {
  const id = fields.take(names.id, readId)
  if (id === null) return null
  const victims = fields.open(names.victims)
  const inVictims = (wanted: readonly string[]) =>
    victims?.take(wanted, readNames) ?? fields.take(wanted, readNames)

  return {
    id,
    set,
    title: redaction.text('title', fields.take(names.title, readText)),
    excerpt: redaction.text('excerpt', fields.take(names.excerpt, readText)),
    category: fields.take(names.category, readName),
    severity: fields.take(names.severity, readName),
    actors: fields.take(names.actors, readNames) ?? [],
    countries: victims?.take(names.countries, readCountries) ?? ownCountries(fields, names),
    industries: inVictims(names.industries) ?? [],
    organizations: redaction.texts(
      'organizations',
      inVictims(names.organizations) ??
        victims?.take(['name', 'names'], readNames) ??
        fields.take(names.victims, readNames),
    ),
    domains: redaction.texts('domains', inVictims(names.domains)),
    publishedAt: fields.take(names.publishedAt, readTime),
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
function ownCountries(fields: Fields, names: ThreatNames): Threat['countries'] {
  const [first, ...others] = fields.take(names.countries, readCountries) ?? []
  const code = fields.take(names.countryCode, readText) ?? first?.code ?? null
  const country = toCountry(code, first?.name ?? null)
  return country ? [country, ...others] : []
}

type ThreatCountry = z.infer<typeof threatCountrySchema>

const CODE_NAMES = ['countrycode', 'code', 'iso2', 'alpha2']
const NAME_NAMES = ['name', 'countryname', 'country']

/** Countries, each once: from names, codes, or objects that hold either. Null when there is none. */
function readCountries(value: unknown): ThreatCountry[] | null {
  const found = new Map<string, ThreatCountry>()
  for (const item of listOf(value)) {
    const fields = Fields.of(item)
    const country = fields
      ? toCountry(fields.take(CODE_NAMES, readText), fields.take(NAME_NAMES, readText))
      : toCountry(null, readText(item))
    const key = country?.code ?? country?.name
    if (country && key !== undefined && !found.has(key)) found.set(key, country)
  }
  return found.size > 0 ? [...found.values()] : null
}

/** A code, a name, or both. The name is the vendor's own text, and the code where there is no other. */
function toCountry(code: string | null, name: string | null): ThreatCountry | null {
  const text = name ?? code
  if (text === null) return null
  return { code: readCountryCode(code ?? '') ?? readCountryCode(text), name: text }
}
