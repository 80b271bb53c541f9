import { queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { triageHistorySchema } from '#contract/bff/triage.ts'
import { triageKey } from './triage-options.ts'

const STALE_MS = 60_000

export function triageHistoryOptions(id: string) {
  return queryOptions({
    queryKey: [...triageKey, 'history', id],
    queryFn: ({ signal }) =>
      getJson(`triage/${encodeURIComponent(id)}/history`, triageHistorySchema, { signal }),
    staleTime: STALE_MS,
  })
}
