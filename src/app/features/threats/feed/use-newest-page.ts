import { type InfiniteData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isNewestFirst } from '#contract/bff/arrangement.ts'
import type { ThreatList } from '#contract/bff/threat-list.ts'
import type { ThreatListScope } from '../address/threat-search.ts'
import {
  fetchThreatList,
  heardChangeKey,
  newThreatsOptions,
  threatHeadOptions,
  threatListOptions,
} from '../threat-options.ts'

type ListState = {
  scope: ThreatListScope
  /** The first page as the list has it; undefined until there is one for this scope. */
  first: ThreatList | undefined
  fetchedAt: number
}

/**
 * Counts newer records without moving the list, and shows them on request. The change log tells which are new: a record
 * that was only read later is none.
 */
export function useNewestPage({ scope, first, fetchedAt }: ListState) {
  const queryClient = useQueryClient()
  const isNewestOnTop = isNewestFirst(scope)
  const { sort, order, group, groupOrder, closed, ...rest } = scope
  const newestScope = isNewestOnTop ? scope : rest
  const readAt = first?.freshness.change
  // The notice of a change that came while the list was on its way has refreshed nothing of it.
  const isBehind = (queryClient.getQueryData<number>(heardChangeKey) ?? 0) > (readAt ?? 0)
  const initialDataUpdatedAt = isBehind ? 0 : fetchedAt
  const { data: head } = useQuery({
    ...threatHeadOptions(newestScope),
    enabled: first !== undefined,
    ...(isNewestOnTop && { initialData: first, initialDataUpdatedAt }),
  })
  const { newThreats: newCount, isWhole } = useQuery({
    ...newThreatsOptions(scope, readAt),
    initialDataUpdatedAt,
  }).data

  // By hand, because asking again would send a request for each page for what the newest page already has.
  const show = (page: ThreatList) => {
    const list: InfiniteData<ThreatList, string> = { pages: [page], pageParams: [''] }
    if (isNewestOnTop) queryClient.setQueryData(threatHeadOptions(scope).queryKey, page)
    queryClient.setQueryData(threatListOptions(scope).queryKey, list)
  }
  const refresh = useMutation({
    mutationFn: () => fetchThreatList(scope, { refresh: true }),
    onSuccess: show,
  })

  return {
    newCount,
    /** False when more new threats may lie behind the newest page. */
    isNewCountWhole: isWhole,
    /** The newest answer that still describes the rows on the page. */
    latest: newCount === 0 ? (head ?? first) : first,
    isNewestOnTop,
    showNew: (onShown: (page: ThreatList) => void) => {
      const isNewer = (head?.freshness.change ?? 0) > (readAt ?? 0)
      if (!isNewestOnTop || !head || !isNewer) refresh.mutate(undefined, { onSuccess: onShown })
      else {
        show(head)
        onShown(head)
      }
    },
    refresh,
  }
}
