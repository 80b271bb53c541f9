import { infiniteQueryOptions, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { request } from '#app/api/request.ts'
import { sendJson } from '#app/api/send-json.ts'
import { saveFile } from '#app/ui/save-file.ts'
import {
  type LedgerDetail,
  type LedgerQuery,
  ledgerDetailSchema,
  ledgerSchema,
  threatNotificationsSchema,
} from '#contract/bff/delivery-ledger.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'
import { isUnderWay } from './delivery-words.ts'

/** The prefix of every deliveries key: invalidate this to refetch them all. */
export const deliveriesKey = ['deliveries'] as const

export type LedgerFilter = Omit<LedgerQuery, 'cursor'>

function pathOf(id: string) {
  return `deliveries/${encodeURIComponent(id)}` as const
}

const POLL_MS = 5_000

/** Free. Looked at again by itself while something is under way, which must not prolong the session. */
export function ledgerOptions(filter: LedgerFilter) {
  return infiniteQueryOptions({
    queryKey: [...deliveriesKey, 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      getJson('deliveries', ledgerSchema, {
        query: { ...filter, cursor: pageParam || undefined },
        background: true,
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.deliveries.some(isUnderWay) ? POLL_MS : false),
  })
}

export function deliveryOptions(id: string) {
  return queryOptions({
    queryKey: [...deliveriesKey, 'one', id],
    queryFn: ({ signal }) => getJson(pathOf(id), ledgerDetailSchema, { background: true, signal }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? POLL_MS : false),
  })
}

export function notificationsOptions(threatId: string) {
  return queryOptions({
    queryKey: [...deliveriesKey, 'of-threat', threatId],
    queryFn: ({ signal }) =>
      getJson(`threats/${pathSegment(threatId)}/deliveries`, threatNotificationsSchema, { signal }),
  })
}

export function resendMutation(queryClient: QueryClient) {
  return mutationOptions({
    mutationFn: (id: string) => sendJson(`${pathOf(id)}/resend`, ledgerDetailSchema, {}),
    onSuccess: (sent: LedgerDetail) => queryClient.setQueryData(deliveryOptions(sent.id).queryKey, sent),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [...deliveriesKey, 'list'] }),
  })
}

/** Saves all that the filter has. */
export function exportLedgerMutation(filter: LedgerFilter) {
  return mutationOptions({
    mutationFn: async (format: 'csv' | 'ndjson') => {
      const response = await request('GET', '/bff/exports/deliveries', { query: { ...filter, format } })
      saveFile(await response.blob(), `lantern-deliveries-${new Date().toISOString().slice(0, 10)}.${format}`)
    },
  })
}
