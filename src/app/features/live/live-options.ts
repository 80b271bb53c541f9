import type { InvalidateQueryFilters, QueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import {
  heardChangeKey,
  newThreatsKey,
  relatedThreatsKey,
  threatHeadsKey,
  threatListsKey,
  threatsKey,
} from '#app/features/threats/threat-options.ts'
import type { QueryNoun } from '#contract/bff/endpoints.ts'
import { type LiveEvent, type LiveKind, liveKindSchema } from '#contract/bff/live.ts'
import { TRIAGE_FILTERS } from '#contract/bff/triage-filter.ts'

/** Begins with the noun of its options, by name: to import them would bring the contract of every page along. */
type LiveKey = readonly [QueryNoun, ...unknown[]]

const ONE_THREAT: LiveKey = [...threatsKey, 'one']
const STORED_THREAT: LiveKey = [...threatsKey, 'stored']
const LATEST: LiveKey = [...threatHeadsKey, 'latest']
const FIGURES: readonly LiveKey[] = [['trends'], ['overview'], ['actors'], ['countries']]
const STORED: readonly LiveKey[] = [threatHeadsKey, newThreatsKey, ...FIGURES]

/**
 * The queries whose answers an event may have made old. The feed's own rows stay as they are: its head announces newer
 * ones. A list of what the team has done is only marked as old, for when it is opened anew.
 */
const KEYS: Readonly<Record<LiveKind, readonly LiveKey[]>> = {
  // Not alerts: their list may cost a call.
  window: [...STORED, ['deliveries'], ['source'], ['shift']],
  position: STORED,
  // All that was read of the vendor: what it held before may be gone.
  data: [...STORED, ONE_THREAT, relatedThreatsKey, ['alerts'], ['metrics'], ['source'], ['shift']],
  source: [['source']],
  triage: [
    ['triage'],
    ['overview'],
    ['shift'],
    ...TRIAGE_FILTERS.flatMap((triage) => [
      [...threatHeadsKey, { triage }] as const,
      [...threatListsKey, { triage }] as const,
    ]),
  ],
  views: [['views']],
  lists: [['lists'], ['overview'], ['shift'], threatListsKey, ONE_THREAT, STORED_THREAT, relatedThreatsKey],
  // A claim is due once it has its case.
  cases: [
    ['cases'],
    ['triage', 'states'],
    [...threatHeadsKey, { rows: 'cases' }],
    LATEST,
    ['shift'],
    ...FIGURES,
  ],
  profiles: [['alert-profiles']],
  inbox: [['inbox'], ['deliveries'], ['alert-profiles']],
  history: [['history-loads']],
}

export function keysOf(kind: LiveKind): readonly LiveKey[] {
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

/** A list that is on its way may be from before the event: it compares its own change with this one. */
export function noteChange(queryClient: QueryClient, event: LiveEvent | null): void {
  if (event?.last !== undefined) queryClient.setQueryData(heardChangeKey, event.last)
}

export const ALL_KEYS: readonly LiveKey[] = Object.values(KEYS).flat()

/** Reads open lists again whose rows may be gone. What nobody looks at is forgotten. */
export function rereadLists(queryClient: QueryClient): void {
  const lists = queryClient.getQueryCache().findAll({ queryKey: threatListsKey })
  for (const list of lists) {
    if (!list.isActive()) queryClient.removeQueries({ queryKey: list.queryKey, exact: true })
    else list.fetch().catch(() => {})
  }
}
