import { type ThreatRecord, threatRecordSchema } from '#service/threats/threat-record.ts'

let made = 0

/** A record with a source id of its own; what a test does not name is plain. */
export function makeThreat(fields: Partial<ThreatRecord> = {}): ThreatRecord {
  made += 1
  return threatRecordSchema.parse({
    source: 'test',
    sourceId: `record-${made}`,
    title: 'Northwind Clinics',
    summary: 'A summary.',
    excerpt: 'An excerpt.',
    content: 'The whole post.',
    category: 'Ransomware',
    severity: 'high',
    countries: [],
    threatActors: [],
    industries: [],
    organizations: [],
    domains: [],
    publishedAt: '2026-06-10T08:00:00.000Z',
    sourceUrl: null,
    evidence: [],
    analysis: null,
    isDemo: false,
    ...fields,
  })
}
