import * as z from 'zod/mini'

/** Answer of `GET /api/metrics`. Threats are those of the whole store; alerts and usage those of the key's account. */
export const metricsSchema = z.strictObject({
  total_threats: z.int(),
  alerts_triggered: z.int(),
  alert_profiles_count: z.int(),
  threat_categories: z.record(z.string(), z.int()),
  countries_monitored: z.int(),
  /** Null in an empty store: no text would be a date. */
  last_threat_at: z.nullable(z.iso.datetime()),
  /** Requests to either route set, by UTC day and month, this one included. */
  api_usage: z.strictObject({ requests_today: z.int(), requests_this_month: z.int() }),
})
export type Metrics = z.infer<typeof metricsSchema>
