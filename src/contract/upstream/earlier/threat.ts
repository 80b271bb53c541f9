import * as z from 'zod/mini'
import { severitySchema } from '../../severity.ts'

/** The reference gives these members no null: what a record does not say is an empty string. */
export const earlierThreatSchema = z.strictObject({
  /** The same in both route sets: both read one store. */
  id: z.string(),
  title: z.string(),
  category: z.string(),
  /** English name of the record's first country, since there is room for one only. */
  country: z.string(),
  /** ISO 3166-1 alpha-2. */
  country_code: z.string(),
  /** The record's first actor. */
  threat_actor: z.string(),
  posted_at: z.union([z.iso.datetime(), z.literal('')]),
  severity: severitySchema,
  /** Beyond the reference: present where the service rated the record, since its source states no severity. */
  severity_derived: z.optional(z.boolean()),
  excerpt: z.string(),
})
export type EarlierThreat = z.infer<typeof earlierThreatSchema>

export const earlierThreatDetailSchema = z.extend(earlierThreatSchema, {
  content: z.string(),
  source_url: z.string(),
  evidence: z.array(z.strictObject({ type: z.string(), url: z.string() })),
  /** `risk_level` is the severity: the reference names no second scale. */
  ai_analysis: z.strictObject({
    risk_level: z.string(),
    summary: z.string(),
    impact: z.string(),
    recommendations: z.array(z.string()),
  }),
})
export type EarlierThreatDetail = z.infer<typeof earlierThreatDetailSchema>
