import {
  type InfiniteData,
  infiniteQueryOptions,
  type Query,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'
import {
  type ListedThreat,
  newThreatsSchema,
  relatedThreatsSchema,
  storedThreatAnswerSchema,
  type ThreatList,
  threatAnswerSchema,
  threatListSchema,
} from '#contract/bff/threat-list.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { ThreatListScope } from './address/threat-search.ts'

/** The prefix of every threats key: invalidate this to refetch them all. */
export const threatsKey = ['threats'] as const
export const threatListsKey = [...threatsKey, 'list'] as const
/** The key of newest pages, which are requested again when newer threats arrive. */
export const threatHeadsKey = [...threatsKey, 'head'] as const
export const newThreatsKey = [...threatsKey, 'new'] as const
/** The number of the last change of stored threats that the server has notified this page of. */
export const heardChangeKey = [...threatsKey, 'heard'] as const
export const relatedThreatsKey = [...threatsKey, 'related'] as const

const HEAD_POLL_MS = 30_000
const KEPT_MS = 30 * 60_000
const INCOMPLETE_STALE_MS = 30_000

type FetchOptions = { signal?: AbortSignal; background?: boolean; refresh?: boolean; cursor?: string }

export function fetchThreatList(scope: ThreatListScope, { cursor, ...options }: FetchOptions) {
  return getJson('threats', threatListSchema, { query: { ...scope, cursor }, ...options })
}

/**
 * The list as it was when it was opened: it never refetches by itself, because that would move rows under the reader's
 * hand: `static`, so that invalidating it only marks it as old. `threatHeadOptions` says
 * when it has grown old.
 */
export function threatListOptions(scope: ThreatListScope) {
  return infiniteQueryOptions({
    queryKey: [...threatListsKey, scope],
    queryFn: ({ pageParam, signal }) => fetchThreatList(scope, { cursor: pageParam || undefined, signal }),
    initialPageParam: '',
    // A cursor that comes again would page in a circle.
    getNextPageParam: ({ nextCursor }, _pages, _last, seen) =>
      nextCursor !== null && !seen.includes(nextCursor) ? nextCursor : null,
    staleTime: 'static',
    gcTime: KEPT_MS,
    retryOnMount: false,
    select: selectRows,
    // Comparing 100,000 rows with themselves for each new page costs a frame; pages never change.
    structuralSharing: false,
  })
}

/** Requests the shown lists again with all of their pages: after what a person did to their rows. */
export async function reloadThreatLists(queryClient: QueryClient): Promise<void> {
  const shown = queryClient.getQueryCache().findAll({ queryKey: threatListsKey, type: 'active' })
  await Promise.allSettled(shown.map((list) => list.fetch()))
}

/** Returns true if a list was invalidated and is shown neither itself nor behind a threat that was opened from it. */
export function isLeftBehind(list: Query): boolean {
  return list.state.isInvalidated && list.getObserversCount() === 0
}

function selectRows({ pages }: InfiniteData<ThreatList>) {
  return {
    pages,
    first: pages.at(0),
    threats: joinPages(pages),
    endsEarly: pages.at(-1)?.endsEarly,
  }
}

/** Requests the newest page again in the background. */
export function threatHeadOptions(scope: ThreatListScope) {
  return queryOptions({
    queryKey: [...threatHeadsKey, scope],
    queryFn: ({ signal }) => fetchThreatList(scope, { background: true, signal }),
    refetchInterval: HEAD_POLL_MS,
    staleTime: HEAD_POLL_MS,
  })
}

/** How many threats have come since a list was read; none yet, as it was read just now. */
export function newThreatsOptions(scope: ThreatListScope, after: number | undefined) {
  const { sort, order, group, groupOrder, closed, rows, ...filter } = scope
  return queryOptions({
    queryKey: [...newThreatsKey, filter, after],
    queryFn: ({ signal }) =>
      getJson('new-threats', newThreatsSchema, { query: { ...filter, after }, background: true, signal }),
    enabled: after !== undefined,
    initialData: { newThreats: 0, isWhole: true },
    refetchInterval: HEAD_POLL_MS,
    staleTime: HEAD_POLL_MS,
  })
}

export function threatOptions(id: string, set: RouteSet | undefined) {
  return queryOptions({
    queryKey: [...threatsKey, 'one', id, set ?? null],
    queryFn: ({ signal }) =>
      getJson(`threats/${pathSegment(id)}`, threatAnswerSchema, { query: { set }, signal }),
    // A failure of a moment ago may be over.
    staleTime: ({ state }) => (state.data?.missing ? INCOMPLETE_STALE_MS : KEPT_MS),
    retryOnMount: false,
  })
}

/** Reads the stored part of a threat. It comes at once, however long the vendor takes for the rest. */
export function storedThreatOptions(id: string, set: RouteSet | undefined) {
  return queryOptions({
    queryKey: [...threatsKey, 'stored', id, set ?? null],
    queryFn: ({ signal }) =>
      getJson(`threats/${pathSegment(id)}/stored`, storedThreatAnswerSchema, { query: { set }, signal }),
    staleTime: KEPT_MS,
  })
}

export function relatedThreatsOptions(id: string, set: RouteSet | undefined) {
  return queryOptions({
    queryKey: [...relatedThreatsKey, id, set ?? null],
    queryFn: ({ signal }) =>
      getJson(`threats/${pathSegment(id)}/related`, relatedThreatsSchema, { query: { set }, signal }),
    staleTime: KEPT_MS,
    retryOnMount: false,
  })
}

/** The rows of all pages, each threat once, where it came last: between two requests records arrive, and some change their places. */
export function joinPages(pages: readonly ThreatList[]): ListedThreat[] {
  const byId = new Map<string, ListedThreat>()
  for (const { threats } of pages) {
    for (const threat of threats) {
      byId.delete(threat.id)
      byId.set(threat.id, threat)
    }
  }
  return [...byId.values()]
}
