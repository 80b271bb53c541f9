import type { Threat, ThreatDetail } from '#contract/bff/threat.ts'
import type { ThreatList } from '#contract/bff/threat-list.ts'

/** A plain threat for tests. */
export function aThreat(id: string, members: Partial<Threat> = {}): Threat {
  return {
    id,
    set: 'v1',
    title: `Threat ${id}`,
    excerpt: 'Files are said to be for sale.',
    category: 'Ransomware',
    severity: 'high',
    actors: ['Pale Harbour'],
    countries: [{ code: 'DE', name: 'Germany' }],
    industries: ['Healthcare'],
    organizations: ['Northwind Clinics'],
    domains: ['northwind.example'],
    publishedAt: '2026-11-20T08:30:00.000Z',
    redacted: [],
    ...members,
  }
}

export function aThreatDetail(id: string, members: Partial<ThreatDetail> = {}): ThreatDetail {
  return {
    ...aThreat(id),
    content: 'We hold 40 GB of their files.',
    sourceUrl: 'http://leaks.example/post?id=7',
    analysis: {
      riskLevel: 'high',
      summary: 'A clinic group is extorted.',
      impact: 'Patient records may be public.',
      recommendations: ['Rotate remote access credentials.'],
      text: null,
    },
    evidence: [],
    otherFields: [],
    records: [{ set: 'v1', json: '{"id":"a-1"}' }],
    ...members,
  }
}

export function aThreatList(threats: Threat[], members: Partial<ThreatList> = {}): ThreatList {
  return {
    threats,
    nextCursor: null,
    total: threats.length,
    isTotalExact: true,
    answeredBy: 'v1',
    facets: null,
    understoodAs: null,
    unreadable: 0,
    freshness: {
      fetchedAt: '2026-11-21T12:03:00.000Z',
      isStale: false,
      staleReason: null,
      covers: { from: null, to: null },
    },
    ...members,
  }
}
