import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { sendJson } from '#app/api/send-json.ts'
import { triageStatesSchema } from '#contract/bff/triage-state.ts'

/** The prefix of every triage key: invalidate this to refetch them all. */
export const triageKey = ['triage'] as const
export const triageStatesKey = [...triageKey, 'states'] as const

const STALE_MS = 60_000

/** Reads the states of some threats. It is a POST because the ids of a page are too long for an address. */
export function triageStatesOptions(ids: readonly string[]) {
  return queryOptions({
    queryKey: [...triageStatesKey, ids],
    queryFn: ({ signal }) => sendJson('triage/states', triageStatesSchema, { body: { ids }, signal }),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  })
}
