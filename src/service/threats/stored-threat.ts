import * as z from 'zod/mini'
import { isoUtc } from '#database/iso-timestamp.ts'
import { threatRecordSchema } from './threat-record.ts'

/** A record in a list, as the key may see it. */
export const listedThreatSchema = z.object({
  id: z.string(),
  title: z.string(),
  summary: z.string(),
  excerpt: z.string(),
  category: z.string(),
  severity: threatRecordSchema.shape.severity,
  isSeverityDerived: z.boolean(),
  countries: z.array(z.string()),
  threatActors: z.array(z.string()),
  industries: z.array(z.string()),
  organizations: z.array(z.string()),
  domains: z.array(z.string()),
  publishedAt: z.string(),
  analysis: z.nullable(
    z.object({ summary: z.string(), impact: z.string(), recommendations: z.array(z.string()) }),
  ),
  content: z.optional(z.string()),
})
/** `content` exists only if the request included it. */
export type ListedThreat = z.infer<typeof listedThreatSchema>

export const storedThreatSchema = z.extend(listedThreatSchema, {
  content: z.string(),
  sourceUrl: z.nullable(z.string()),
  evidence: z.array(z.object({ type: z.string(), url: z.string() })),
})
export type StoredThreat = z.infer<typeof storedThreatSchema>

/** The columns of a `visible_threat` named t. */
export const LISTED_COLUMNS = `
  t.id, t.title, t.summary, t.excerpt, t.category, t.severity, t.is_severity_derived as "isSeverityDerived", t.countries, t.threat_actors as "threatActors",
  t.industries, t.organizations, t.domains, t.analysis,
  ${isoUtc('t.published_at')} as "publishedAt"`

/** A page of them stays below what a client takes. */
const LISTED_CONTENT_MAX_LENGTH = 15_000
export const WITH_CONTENT_COLUMNS = `${LISTED_COLUMNS}, left(t.content, ${LISTED_CONTENT_MAX_LENGTH}) as content`

export const STORED_COLUMNS = `${LISTED_COLUMNS}, t.content, t.source_url as "sourceUrl", t.evidence`

/** Adds the full text to a list's record, if the request included it. */
export function withContent<Listed extends object>(
  listed: Listed,
  { content }: ListedThreat,
): Listed & { content?: string } {
  return content === undefined ? listed : { ...listed, content }
}
