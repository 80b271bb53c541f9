import { countryName } from '#contract/country.ts'
import type { V1Threat, V1ThreatDetail } from '#contract/upstream/v1/threat.ts'
import type { ListedThreat, StoredThreat } from './stored-threat.ts'

export function toV1Threat(threat: ListedThreat): V1Threat {
  return {
    id: threat.id,
    title: threat.title,
    summary: threat.summary,
    category: threat.category,
    threat_actors: threat.threatActors,
    victims: {
      countries: threat.countries.map((country) => countryName(country) ?? country),
      industries: threat.industries,
      organizations: threat.organizations,
      domains: threat.domains,
    },
    risk_level: threat.severity,
    ai_analysis: threat.analysis?.summary ?? '',
    published_at: threat.publishedAt,
  }
}

export function toV1ThreatDetail(threat: StoredThreat): V1ThreatDetail {
  return { ...toV1Threat(threat), source_url: threat.sourceUrl, analysis: threat.analysis }
}
