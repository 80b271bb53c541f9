import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { actorsKey } from '#app/features/actors/actor-options.ts'
import { countriesKey } from '#app/features/countries/country-options.ts'
import { metricsKey } from '#app/features/metrics/metrics-options.ts'
import { overviewKey } from '#app/features/overview/overview-options.ts'
import { sourceKey } from '#app/features/source/source-options.ts'
import { threatHeadsKey, threatListsKey, threatsKey } from '#app/features/threats/threat-options.ts'
import { trendsKey } from '#app/features/trends/trend-options.ts'
import { triageKey } from '#app/features/triage/triage-options.ts'
import { viewsKey } from '#app/features/views/view-options.ts'
import type { LiveKind } from '#contract/bff/live.ts'
import { triageFilterSchema } from '#contract/bff/triage-filter.ts'

// By name: their options would bring the contract of alerts to pages that have none.
const [ALERTS, DELIVERIES, WATCHES] = [['alerts'], ['deliveries'], ['watches']] as const

/**
 * The queries whose answers an event may have made old. The feed's own rows stay as they are: its head announces newer
 * ones. A list of what the team has done is only marked as old, for when it is opened anew.
 */
const KEYS: Readonly<Record<LiveKind, readonly QueryKey[]>> = {
  // Not alerts: their list may cost a call, and an event of its own says when they have matched.
  window: [threatHeadsKey, trendsKey, overviewKey, actorsKey, countriesKey, sourceKey],
  // All that was read of the source: what it held before may be gone.
  data: [
    threatHeadsKey,
    [...threatsKey, 'one'],
    [...threatsKey, 'related'],
    ...[trendsKey, overviewKey, actorsKey, countriesKey, ALERTS, metricsKey, sourceKey],
  ],
  source: [sourceKey],
  alerts: [ALERTS, DELIVERIES],
  triage: [
    triageKey,
    overviewKey,
    ...triageFilterSchema.options.flatMap((triage) => [
      [...threatHeadsKey, { triage }] as const,
      [...threatListsKey, { triage }] as const,
    ]),
  ],
  views: [viewsKey, WATCHES],
  inbox: [['inbox'], DELIVERIES, WATCHES],
}

export function keysOf(kind: LiveKind): readonly QueryKey[] {
  return KEYS[kind]
}

export const ALL_KEYS: readonly QueryKey[] = Object.values(KEYS).flat()

/** Reads open lists again whose rows may be gone. What nobody looks at is forgotten. */
export function rereadLists(queryClient: QueryClient): void {
  const lists = queryClient.getQueryCache().findAll({ queryKey: threatListsKey })
  for (const list of lists) {
    if (!list.isActive()) queryClient.removeQueries({ queryKey: list.queryKey, exact: true })
    else list.fetch().catch(() => {})
  }
}
