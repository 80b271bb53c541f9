import type * as z from 'zod/mini'
import type { Threat, threatCountrySchema } from '#contract/bff/threat.ts'
import { readCountryCode } from '#contract/read-country-code.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { expandNames, foldNames } from './field-names.ts'
import { Fields } from './fields.ts'
import { readThreatId } from './read-threat-id.ts'
import { listOf, readName, readNames, readText, readTime } from './read-value.ts'
import type { Redaction } from './redaction.ts'
import usualNames from './usual-names.json' with { type: 'json' }

/** The names by which a threat's members are found. */
export const THREAT_NAMES = foldNames(usualNames.threat)
const VICTIM_NAMES = foldNames(usualNames.victim)
const DATE_TEXT_MAX_LENGTH = 100

/** Reads a record of either route set field by field. Fields that it does not take stay in `fields`. */
export function readThreat(set: RouteSet, fields: Fields, redaction: Redaction): Threat | null {
  const id = fields.take(THREAT_NAMES.id, readThreatId)
  if (id === null) return null
  const victims = fields.open(THREAT_NAMES.victims)
  const inVictims = (wanted: readonly string[]) =>
    victims?.take(wanted, readNames) ?? fields.take(wanted, readNames)

  const isSeverityDerived = fields.take(SEVERITY_DERIVED, (value) => (value === true ? true : null))
  const publishedAt = fields.take(THREAT_NAMES.publishedAt, readTime)
  const dateText = publishedAt === null ? fields.take(THREAT_NAMES.publishedAt, readDateText) : null
  return {
    ...id,
    set,
    title: redaction.text('title', fields.take(THREAT_NAMES.title, readText)),
    excerpt: redaction.text('excerpt', fields.take(THREAT_NAMES.excerpt, readText)),
    category: fields.take(THREAT_NAMES.category, readName),
    severity: fields.take(THREAT_NAMES.severity, readName),
    ...(isSeverityDerived && { isSeverityDerived }),
    actors: fields.take(THREAT_NAMES.actors, readNames) ?? [],
    countries: victims?.take(THREAT_NAMES.countries, readCountries) ?? ownCountries(fields),
    industries: inVictims(THREAT_NAMES.industries) ?? [],
    organizations: redaction.texts(
      'organizations',
      inVictims(THREAT_NAMES.organizations) ??
        victims?.take(VICTIM_NAMES.name, readNames) ??
        fields.take(THREAT_NAMES.victims, readNames),
    ),
    domains: redaction.texts('domains', inVictims(THREAT_NAMES.domains)),
    publishedAt,
    ...(dateText !== null && { dateText }),
    redacted: redaction.fields,
  }
}

/** Reads a text in the place of a date that cannot be parsed. */
function readDateText(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  return readText(value)?.slice(0, DATE_TEXT_MAX_LENGTH).toWellFormed() ?? null
}

/** The earlier set gives one country as a name and a code. */
function ownCountries(fields: Fields): Threat['countries'] {
  const [first, ...others] = fields.take(THREAT_NAMES.countries, readCountries) ?? []
  const code = fields.take(THREAT_NAMES.countryCode, readText) ?? first?.code ?? null
  const country = toCountry(code, first?.name ?? null)
  return country ? [country, ...others] : []
}

/** Our own service sets this for a severity that it derived by a rule. */
const SEVERITY_DERIVED = expandNames(['severity_derived'])

type ThreatCountry = z.infer<typeof threatCountrySchema>

const COUNTRY_NAMES = foldNames(usualNames.threatCountry)

/** Countries, each once: from names, codes, or objects that hold either. Null when there is none. */
function readCountries(value: unknown): ThreatCountry[] | null {
  const found = new Map<string, ThreatCountry>()
  for (const item of listOf(value)) {
    const fields = Fields.of(item)
    const country = fields
      ? toCountry(fields.take(COUNTRY_NAMES.code, readText), fields.take(COUNTRY_NAMES.name, readText))
      : toCountry(null, readText(item))
    if (!country) continue
    const key = country.code ?? country.name
    if (!found.has(key)) found.set(key, country)
  }
  return found.size > 0 ? [...found.values()] : null
}

/** A code, a name, or both. The name is the vendor's own text, and the code where there is no other. */
function toCountry(code: string | null, name: string | null): ThreatCountry | null {
  const text = name ?? code
  if (text === null) return null
  return { code: readCountryCode(code ?? text) ?? readCountryCode(text), name: text }
}
