import { countryName } from '#contract/country.ts'
import { normaliseTexts } from '#matcher/normalise-text.ts'
import type { ThreatRecord } from './threat-record.ts'

/** What search and alert profiles read of a record: what its source says, and not what an analysis makes of it. */
export function searchText(record: ThreatRecord): string {
  return normaliseTexts([
    record.title,
    record.summary,
    record.excerpt,
    record.content,
    ...record.threatActors,
    ...record.organizations,
    ...record.domains,
    ...record.industries,
    ...record.countries.map((country) => countryName(country) ?? country),
  ])
}
