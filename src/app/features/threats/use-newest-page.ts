import { type InfiniteData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isNewestFirst } from '#contract/bff/arrangement.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { ThreatList } from '#contract/bff/threat-list.ts'
import { countNew } from './join-pages.ts'
import {
  fetchThreatList,
  newestWhenReadOptions,
  threatHeadOptions,
  threatListOptions,
} from './threat-options.ts'
import type { ThreatListScope } from './threat-search.ts'

type ListState = {
  scope: ThreatListScope
  threats: readonly Threat[]
  /** The first page as the list has it; undefined until there is one for this scope. */
  first: ThreatList | undefined
  fetchedAt: number
}

/**
 * Watches for newer records without moving the list, and shows them when asked to. Where the list stands in another order,
 * its own pages cannot tell what is new: then the newest page is compared with what it was when the list was read.
 */
export function useNewestPage({ scope, threats, first, fetchedAt }: ListState) {
  const queryClient = useQueryClient()
  const isNewestOnTop = isNewestFirst(scope)
  const { sort, order, group, groupOrder, closed, groups, open, ...rest } = scope
  const newestScope = isNewestOnTop ? scope : rest
  const { data: head } = useQuery({
    ...threatHeadOptions(newestScope),
    enabled: first !== undefined,
    ...(isNewestOnTop && { initialData: first, initialDataUpdatedAt: fetchedAt }),
  })
  const { data: before } = useQuery({
    ...newestWhenReadOptions(newestScope, first?.freshness.fetchedAt),
    enabled: first !== undefined && !isNewestOnTop,
  })
  const known = isNewestOnTop ? threats : before?.threats
  const newCount = first && head && known ? countNew(known, head) : 0

  // By hand, because asking again would spend a call for each page on what the newest page already has.
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
    isNewCountWhole: newCount < (head?.threats.length ?? 0) || head?.nextCursor === null,
    /** The newest answer that still describes the rows on the page. */
    latest: newCount === 0 ? (head ?? first) : first,
    isNewestOnTop,
    showNew: (onShown: (page: ThreatList) => void) => {
      if (!isNewestOnTop) refresh.mutate(undefined, { onSuccess: onShown })
      else if (head) {
        show(head)
        onShown(head)
      }
    },
    refresh,
  }
}
