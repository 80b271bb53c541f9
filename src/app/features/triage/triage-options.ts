import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { sendJson } from '#app/api/send-json.ts'
import { triageStatesSchema } from '#contract/bff/triage-state.ts'

/** The prefix of every triage key: invalidate this to refetch them all. */
export const triageKey = ['triage'] as const
export const triageStatesKey = [...triageKey, 'states'] as const

const STALE_MS = 60_000

/** What the team has done with some threats. A query by POST: ids of a whole page are too long for an address. */
export function triageStatesOptions(ids: readonly string[]) {
  return queryOptions({
    queryKey: [...triageStatesKey, ids],
    queryFn: ({ signal }) => sendJson('triage/states', triageStatesSchema, { body: { ids }, signal }),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  })
}
