import * as z from 'zod/mini'
import { severitySchema } from '../../severity.ts'

export const v1ThreatSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  summary: z.string(),
  category: z.string(),
  threat_actors: z.array(z.string()),
  victims: z.strictObject({
    /** English names; the source's own text where it names no country we know. */
    countries: z.array(z.string()),
    industries: z.array(z.string()),
    organizations: z.array(z.string()),
    domains: z.array(z.string()),
  }),
  /** The earlier set's severity: the reference shows a lowercase word and no second scale. */
  risk_level: severitySchema,
  /** Beyond the reference: present where the service rated the record, since its source states no severity. */
  severity_derived: z.optional(z.boolean()),
  /** Empty when a record has no analysis. */
  ai_analysis: z.string(),
  /** Empty when a record has no date. */
  published_at: z.union([z.iso.datetime({ precision: 3 }), z.literal('')]),
})
export type V1Threat = z.infer<typeof v1ThreatSchema>

/** The reference names 'the source URL and the available analysis fields'; they are called as in the earlier set. */
export const v1ThreatDetailSchema = z.extend(v1ThreatSchema, {
  source_url: z.nullable(z.string()),
  analysis: z.nullable(
    z.strictObject({
      summary: z.string(),
      impact: z.string(),
      recommendations: z.array(z.string()),
    }),
  ),
})
export type V1ThreatDetail = z.infer<typeof v1ThreatDetailSchema>

/** Answer of `GET /api/v1/threats/{id}`: in the envelope that v1 lists have. */
export const v1ThreatAnswerSchema = z.strictObject({ data: v1ThreatDetailSchema })
export type V1ThreatAnswer = z.infer<typeof v1ThreatAnswerSchema>
