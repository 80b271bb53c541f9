import type { Metrics } from '#contract/bff/metrics.ts'
import { readCountedNames } from './counted-names.ts'
import { expandNames, foldNames } from './field-names.ts'
import { Fields } from './fields.ts'
import { openEnvelope } from './open-envelope.ts'
import { readCount, readTime } from './read-value.ts'
import usualNames from './usual-names.json' with { type: 'json' }

const NOUNS = expandNames(usualNames.metricsEnvelope)
const NAMES = foldNames(usualNames.metrics)

/** Reads the metrics; null when none of the documented figures is there. */
export function readMetrics(body: unknown): Metrics | null {
  const fields = Fields.of(openEnvelope(body, NOUNS))
  if (!fields) return null
  fields.hoist()
  const metrics = {
    // First, so that no category's name is taken for a figure's.
    categories: fields.take(NAMES.categories, readCountedNames) ?? [],
    totalThreats: fields.take(NAMES.totalThreats, readCount),
    alertsTriggered: fields.take(NAMES.alertsTriggered, readCount),
    alertProfiles: fields.take(NAMES.alertProfiles, readCount),
    countriesMonitored: fields.take(NAMES.countriesMonitored, readCount),
    lastThreatAt: fields.take(NAMES.lastThreatAt, readTime),
    requestsToday: fields.take(NAMES.requestsToday, readCount),
    requestsThisMonth: fields.take(NAMES.requestsThisMonth, readCount),
  }
  return fields.isTouched ? { ...metrics, otherFields: fields.rest() } : null
}
