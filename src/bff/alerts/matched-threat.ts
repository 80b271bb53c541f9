import { pathSegment } from '#contract/bff/path-segment.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { severitySchema } from '#contract/severity.ts'
import { toStorable } from '#delivery/ledger-access.ts'
import type { NotifiedThreat } from '#delivery/message.ts'

type Matched = {
  words: readonly string[]
  /** Members of the record that have changed; null where it is new. */
  fields: readonly string[] | null
  /** Browsers find Lantern here. */
  origin: string
  caseId: string | null
  /** Says how it changes its case; null where it is the first of it. */
  news: string | null
}

/** Names of members whose change people understand. */
const FIELD_NAMES: Readonly<Partial<Record<keyof Threat, string>>> = {
  title: 'title',
  excerpt: 'summary',
  category: 'category',
  actors: 'actors',
  countries: 'countries',
  industries: 'industries',
  domains: 'domains',
  publishedAt: 'publication date',
}

/** A record as the ledger has it and messages show it. */
export function toMatchedThreat(
  threat: Threat,
  { words, fields, origin, caseId, news }: Matched,
): NotifiedThreat {
  const [actor = null] = threat.actors
  const [victim = null] = threat.organizations
  return {
    id: threat.id,
    title: toStorable(threat.title ?? 'Untitled threat'),
    severity: severitySchema.safeParse(threat.severity?.toLowerCase()).data ?? null,
    category: threat.category && toStorable(threat.category),
    actor: actor && toStorable(actor),
    victim: victim && toStorable(victim),
    countries: threat.countries.map(({ name }) => toStorable(name)),
    publishedAt: threat.publishedAt,
    matchedWords: words.map(toStorable),
    change: fields && describeChange(threat, fields),
    caseId,
    news: news && toStorable(news),
    link: `${origin}/threats/${pathSegment(threat.id)}`,
  }
}

/** Describes why a known record is sent now; null if its change has no name. */
function describeChange({ organizations, severity }: Threat, fields: readonly string[]): string | null {
  const [victim] = organizations
  if (fields.includes('organizations') && victim !== undefined) return `Victim named: ${toStorable(victim)}`
  if (fields.includes('severity') && severity !== null) return `Severity: ${toStorable(severity)}`
  const named = Object.entries(FIELD_NAMES).flatMap(([field, name]) => (fields.includes(field) ? [name] : []))
  return named.length === 0 ? null : `Changed: ${named.join(', ')}`
}
