import * as z from 'zod/mini'
import { freshnessSchema } from './freshness.ts'
import { countedNameSchema, otherFieldSchema } from './threat.ts'

/** Figures of the vendor and of the key's account; null where they were not reported. */
export const metricsSchema = z.object({
  totalThreats: z.nullable(z.int()),
  alertsTriggered: z.nullable(z.int()),
  alertProfiles: z.nullable(z.int()),
  categories: z.array(countedNameSchema),
  countriesMonitored: z.nullable(z.int()),
  /** ISO 8601 UTC. */
  lastThreatAt: z.nullable(z.iso.datetime()),
  requestsToday: z.nullable(z.int()),
  requestsThisMonth: z.nullable(z.int()),
  otherFields: z.array(otherFieldSchema),
})
export type Metrics = z.infer<typeof metricsSchema>

/** Answer of `GET /bff/metrics`. */
export const metricsAnswerSchema = z.object({ metrics: metricsSchema, freshness: freshnessSchema })
export type MetricsAnswer = z.infer<typeof metricsAnswerSchema>
