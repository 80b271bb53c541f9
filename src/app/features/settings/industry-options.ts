import { queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'

const STALE_MS = 5 * 60_000

/** The industries that the window's records name, the most frequent first; at no call, and so only where there is a window. */
export function industryOptions(hasWindow: boolean) {
  return queryOptions({
    queryKey: ['threats', 'industries'],
    queryFn: async ({ signal }): Promise<string[]> => {
      const { facets } = await getJson('threats', threatListSchema, { query: { timeZone: 'UTC' }, signal })
      return facets?.industry.map(({ value }) => value) ?? []
    },
    enabled: hasWindow,
    staleTime: STALE_MS,
  })
}
