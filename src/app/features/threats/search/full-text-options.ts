import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { sendJson } from '#app/api/send-json.ts'
import { type FullTextRequest, fullTextSearchSchema } from '#contract/bff/full-text-search.ts'

const STALE_MS = 60_000

/** Reads what can be sent to the vendor for a search, and what the last request found. It costs no call. */
export function fullTextOptions(q: string) {
  return queryOptions({
    queryKey: ['full-text-searches', q] as const,
    queryFn: ({ signal }) => getJson('full-text-searches', fullTextSearchSchema, { query: { q }, signal }),
    staleTime: STALE_MS,
  })
}

/** One call at most. */
export function fullTextMutation(queryClient: QueryClient) {
  return mutationOptions({
    mutationFn: (body: FullTextRequest) => sendJson('full-text-searches', fullTextSearchSchema, { body }),
    onSuccess: (found, { q }) => queryClient.setQueryData(fullTextOptions(q).queryKey, found),
  })
}
