import type { QueryKey } from '@tanstack/react-query'
import { actorsKey } from '#app/features/actors/actor-options.ts'
import { alertsKey } from '#app/features/alerts/alert-options.ts'
import { countriesKey } from '#app/features/countries/country-options.ts'
import { overviewKey } from '#app/features/overview/overview-options.ts'
import { sourceKey } from '#app/features/source/source-options.ts'
import { threatHeadsKey, threatListsKey } from '#app/features/threats/threat-options.ts'
import { trendsKey } from '#app/features/trends/trend-options.ts'
import { triageKey } from '#app/features/triage/triage-options.ts'
import { viewsKey } from '#app/features/views/view-options.ts'
import type { LiveKind } from '#contract/bff/live.ts'
import { triageFilterSchema } from '#contract/bff/triage-filter.ts'

/**
 * The queries whose answers an event may have made old. The feed's own rows stay as they are: its head announces newer
 * ones. A list of what the team has done is only marked as old, for when it is opened anew.
 */
const KEYS: Readonly<Record<LiveKind, readonly QueryKey[]>> = {
  // Not alerts: their list may cost a call, and an event of its own says when they have matched.
  window: [threatHeadsKey, trendsKey, overviewKey, actorsKey, countriesKey, sourceKey],
  source: [sourceKey],
  alerts: [alertsKey],
  triage: [
    triageKey,
    overviewKey,
    ...triageFilterSchema.options.flatMap((triage) => [
      [...threatHeadsKey, { triage }] as const,
      [...threatListsKey, { triage }] as const,
    ]),
  ],
  views: [viewsKey],
}

export function keysOf(kind: LiveKind): readonly QueryKey[] {
  return KEYS[kind]
}

export const ALL_KEYS: readonly QueryKey[] = Object.values(KEYS).flat()
