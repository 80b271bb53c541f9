import type { EarlierThreat, EarlierThreatDetail } from '#contract/upstream/earlier/threat.ts'
import type { V1Threat, V1ThreatDetail } from '#contract/upstream/v1/threat.ts'

/** Records of both route sets for tests, as the reference has them. */
export function v1Record(changes: Partial<V1Threat> = {}): V1Threat {
  return {
    id: 'thr_1',
    title: 'Northwind Foods - 80 GB',
    summary: 'Ashfall names Northwind Foods on its site.',
    category: 'Ransomware',
    threat_actors: ['Ashfall'],
    victims: {
      countries: ['Germany'],
      industries: ['Food'],
      organizations: ['Northwind Foods'],
      domains: ['northwind.example'],
    },
    risk_level: 'high',
    ai_analysis: 'Likely a real breach.',
    published_at: '2026-03-10T08:00:00.000Z',
    ...changes,
  }
}

export function v1Detail(changes: Partial<V1ThreatDetail> = {}): V1ThreatDetail {
  return { ...v1Record(), source_url: 'http://ashfall.onion/post/1', analysis: null, ...changes }
}

export function v1List(records: readonly unknown[], meta: Record<string, unknown> = {}) {
  const filters_applied = { category: null, country: null, since: null }
  return {
    data: records,
    meta: { total: records.length, returned: records.length, cursor: null, filters_applied, ...meta },
  }
}

export function earlierRecord(changes: Partial<EarlierThreat> = {}): EarlierThreat {
  return {
    id: 'thr_1',
    title: 'Northwind Foods - 80 GB',
    category: 'Ransomware',
    country: 'Germany',
    country_code: 'DE',
    threat_actor: 'Ashfall',
    posted_at: '2026-03-10T08:00:00.000Z',
    severity: 'high',
    excerpt: 'Ashfall names Northwind Foods on its site.',
    ...changes,
  }
}

export function earlierDetail(changes: Partial<EarlierThreatDetail> = {}): EarlierThreatDetail {
  return {
    ...earlierRecord(),
    content: 'We have 80 GB of Northwind Foods.',
    source_url: 'http://ashfall.onion/post/1',
    evidence: [],
    ai_analysis: {
      risk_level: 'high',
      summary: 'A leak is announced.',
      impact: 'Contracts may be exposed.',
      recommendations: ['Reset shared credentials.'],
    },
    ...changes,
  }
}

export function earlierList(records: readonly unknown[], pagination: Record<string, unknown> = {}) {
  return {
    threats: records,
    pagination: { total: records.length, limit: 50, offset: 0, has_more: false, ...pagination },
  }
}
