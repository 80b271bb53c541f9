import { queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { feedAddressListSchema, viewListSchema } from '#contract/bff/view.ts'

/** The prefix of every views key: invalidate this to refetch them all. */
export const viewsKey = ['views'] as const

const STALE_MS = 60_000

export function viewListOptions() {
  return queryOptions({
    queryKey: [...viewsKey, 'list'],
    queryFn: ({ signal }) => getJson('views', viewListSchema, { signal }),
    staleTime: STALE_MS,
  })
}

/** For admins. */
export function feedAddressesOptions() {
  return queryOptions({
    queryKey: [...viewsKey, 'feed-addresses'],
    queryFn: ({ signal }) => getJson('feed-addresses', feedAddressListSchema, { signal }),
  })
}
