import * as z from 'zod/mini'
import { readCountryCode } from '#contract/read-country-code.ts'
import { earlierThreatDetailSchema } from '#contract/upstream/earlier/threat.ts'
import { v1ThreatDetailSchema } from '#contract/upstream/v1/threat.ts'
import { ENGLISH } from './english.ts'

/** A file may add these to an answer: the record's origin, in place of the id in the answer. */
const originShape = { source: z._default(z.string(), 'api'), source_id: z.optional(z.string()) }

const v1RecordSchema = z.extend(
  z.partial(v1ThreatDetailSchema, { source_url: true, analysis: true }),
  originShape,
)
const earlierRecordSchema = z.extend(
  z.partial(earlierThreatDetailSchema, {
    content: true,
    source_url: true,
    evidence: true,
    ai_analysis: true,
  }),
  originShape,
)

/** Reads a record as `/api/v1/threats` and `/api/v1/threats/{id}` answer it. */
export function readV1Record(value: unknown) {
  const record = v1RecordSchema.parse(value, ENGLISH)
  return {
    source: record.source,
    sourceId: record.source_id ?? record.id,
    title: record.title,
    summary: record.summary,
    content: record.summary,
    category: record.category,
    severity: record.risk_level,
    isSeverityDerived: record.severity_derived ?? false,
    countries: record.victims.countries.map(toCountry),
    threatActors: record.threat_actors,
    industries: record.victims.industries,
    organizations: record.victims.organizations,
    domains: record.victims.domains,
    publishedAt: record.published_at || null,
    sourceUrl: record.source_url ?? null,
    evidence: [],
    analysis:
      record.analysis ??
      (record.ai_analysis ? { summary: record.ai_analysis, impact: '', recommendations: [] } : null),
  }
}

/** Reads a record as `/api/feed` and `/api/feed/{id}` answer it. */
export function readEarlierRecord(value: unknown) {
  const record = earlierRecordSchema.parse(value, ENGLISH)
  const country = record.country_code || record.country
  return {
    source: record.source,
    sourceId: record.source_id ?? record.id,
    title: record.title,
    summary: record.excerpt,
    excerpt: record.excerpt,
    content: record.content ?? record.excerpt,
    category: record.category,
    severity: record.severity,
    isSeverityDerived: record.severity_derived ?? false,
    countries: country ? [toCountry(country)] : [],
    threatActors: record.threat_actor ? [record.threat_actor] : [],
    industries: [],
    organizations: [],
    domains: [],
    publishedAt: record.posted_at || null,
    sourceUrl: record.source_url || null,
    evidence: record.evidence ?? [],
    analysis: toAnalysis(record.ai_analysis),
  }
}

function toAnalysis(analysis: z.infer<typeof earlierRecordSchema>['ai_analysis']) {
  if (!analysis?.summary && !analysis?.impact && !analysis?.recommendations.length) return null
  const { summary, impact, recommendations } = analysis
  return { summary, impact, recommendations }
}

function toCountry(codeOrName: string): string {
  return readCountryCode(codeOrName) ?? codeOrName
}
