import { queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { sourceSchema } from '#contract/bff/source.ts'

const POLL_MS = 60_000

/** Costs no vendor call. A poll, so it must not prolong the session. */
export function sourceOptions() {
  return queryOptions({
    queryKey: ['source'],
    queryFn: ({ signal }) => getJson('source', sourceSchema, { signal, background: true }),
    refetchInterval: POLL_MS,
  })
}
