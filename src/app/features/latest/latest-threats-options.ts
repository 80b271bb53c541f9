import { queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { type ThreatFilter, threatListSchema } from '#contract/bff/threat-list.ts'

/** Under the key of the feed's head, which is asked for anew when newer threats are there. */
export function latestThreatsOptions(filter: ThreatFilter) {
  return queryOptions({
    queryKey: ['threats', 'head', 'latest', filter],
    queryFn: ({ signal }) => getJson('threats', threatListSchema, { query: filter, signal }),
  })
}
