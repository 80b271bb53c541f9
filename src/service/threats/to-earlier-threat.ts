import { countryName } from '#contract/country.ts'
import { readCountryCode } from '#contract/read-country-code.ts'
import type { EarlierThreat, EarlierThreatDetail } from '#contract/upstream/earlier/threat.ts'
import type { ListedThreat, StoredThreat } from './stored-threat.ts'

export function toEarlierThreat(threat: ListedThreat): EarlierThreat {
  const [country = ''] = threat.countries
  return {
    id: threat.id,
    title: threat.title,
    category: threat.category,
    country: countryName(country) ?? country,
    country_code: readCountryCode(country) ?? '',
    threat_actor: threat.threatActors[0] ?? '',
    posted_at: threat.publishedAt,
    severity: threat.severity,
    excerpt: threat.excerpt,
  }
}

export function toEarlierThreatDetail(
  threat: StoredThreat,
  evidenceUrl: (url: string) => string,
): EarlierThreatDetail {
  return {
    ...toEarlierThreat(threat),
    content: threat.content,
    source_url: threat.sourceUrl ?? '',
    evidence: threat.evidence.map(({ type, url }) => ({ type, url: evidenceUrl(url) })),
    ai_analysis: {
      risk_level: threat.severity,
      summary: threat.analysis?.summary ?? '',
      impact: threat.analysis?.impact ?? '',
      recommendations: threat.analysis?.recommendations ?? [],
    },
  }
}
