import type { InvalidateQueryFilters, QueryClient, QueryKey } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { actorsKey } from '#app/features/actors/actor-options.ts'
import { countriesKey } from '#app/features/countries/country-options.ts'
import { metricsKey } from '#app/features/metrics/metrics-options.ts'
import { overviewKey } from '#app/features/overview/overview-options.ts'
import { sourceKey } from '#app/features/source/source-options.ts'
import {
  newThreatsKey,
  relatedThreatsKey,
  threatHeadsKey,
  threatListsKey,
  threatsKey,
} from '#app/features/threats/threat-options.ts'
import { trendsKey } from '#app/features/trends/trend-options.ts'
import { triageKey } from '#app/features/triage/triage-options.ts'
import { viewsKey } from '#app/features/views/view-options.ts'
import { type LiveEvent, type LiveKind, liveKindSchema } from '#contract/bff/live.ts'
import { triageFilterSchema } from '#contract/bff/triage-filter.ts'

// By name: their options would bring the contract of alerts to pages that have none.
const [ALERTS, DELIVERIES, PROFILES] = [['alerts'], ['deliveries'], ['alert-profiles']] as const
const LISTS = ['lists'] as const
const CASES = ['cases'] as const
const [ONE_THREAT, STORED_THREAT] = [
  [...threatsKey, 'one'],
  [...threatsKey, 'stored'],
] as const
const HISTORY_LOADS = ['history-loads'] as const

const STORED = [threatHeadsKey, newThreatsKey, trendsKey, overviewKey, actorsKey, countriesKey] as const

/**
 * The queries whose answers an event may have made old. The feed's own rows stay as they are: its head announces newer
 * ones. A list of what the team has done is only marked as old, for when it is opened anew.
 */
const KEYS: Readonly<Record<LiveKind, readonly QueryKey[]>> = {
  // Not alerts: their list may cost a call.
  window: [...STORED, DELIVERIES, sourceKey],
  position: STORED,
  // All that was read of the source: what it held before may be gone.
  data: [...STORED, ONE_THREAT, relatedThreatsKey, ...[ALERTS, metricsKey, sourceKey]],
  source: [sourceKey],
  triage: [
    triageKey,
    overviewKey,
    ...triageFilterSchema.options.flatMap((triage) => [
      [...threatHeadsKey, { triage }] as const,
      [...threatListsKey, { triage }] as const,
    ]),
  ],
  views: [viewsKey],
  lists: [LISTS, overviewKey, threatListsKey, ONE_THREAT, STORED_THREAT, relatedThreatsKey],
  cases: [CASES],
  profiles: [PROFILES],
  inbox: [['inbox'], DELIVERIES, PROFILES],
  history: [HISTORY_LOADS],
}

export function keysOf(kind: LiveKind): readonly QueryKey[] {
  return KEYS[kind]
}

/**
 * The queries that an event makes old. Null is a gap, in which anything may have happened; of stored threats, the position
 * that follows it tells.
 */
export function outdatedBy(event: LiveEvent | null): InvalidateQueryFilters[] {
  const kinds = event ? [event.kind] : liveKindSchema.options
  return kinds.flatMap((kind) =>
    keysOf(kind).map((queryKey) => ({
      queryKey,
      predicate: ({ state: { data } }) => isOutdated(data, kind, event),
    })),
  )
}

const answerSchema = z.object({ freshness: z.object({ change: z.int() }) })

function isOutdated(data: unknown, kind: LiveKind, event: LiveEvent | null): boolean {
  const change = answerSchema.safeParse(data).data?.freshness.change
  if (kind === 'position') return change !== undefined && change < (event?.last ?? 0)
  const isInLog = change !== undefined && (kind === 'window' || kind === 'data')
  return event !== null || !isInLog
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
