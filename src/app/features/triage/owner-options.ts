import { queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { ownersSchema } from '#contract/bff/triage.ts'
import { triageKey } from './triage-options.ts'

const STALE_MS = 60_000

/** Who can own a case. */
export function ownersOptions() {
  return queryOptions({
    queryKey: [...triageKey, 'owners'],
    queryFn: ({ signal }) => getJson('triage/owners', ownersSchema, { signal }),
    staleTime: STALE_MS,
  })
}
