import { queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { overviewSchema } from '#contract/bff/overview.ts'

/** From the window, at no call. */
export function overviewOptions() {
  return queryOptions({
    queryKey: ['overview'],
    queryFn: ({ signal }) => getJson('overview', overviewSchema, { signal }),
  })
}
