import { queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { overviewSchema } from '#contract/bff/overview.ts'

export const overviewKey = ['overview'] as const

/** From the window, free. */
export function overviewOptions() {
  return queryOptions({
    queryKey: overviewKey,
    queryFn: ({ signal }) => getJson('overview', overviewSchema, { signal }),
  })
}
