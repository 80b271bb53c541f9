import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { overviewSchema } from '#contract/bff/overview.ts'

export const overviewKey = ['overview'] as const

/** From the window, free. */
export function overviewOptions(timeZone: string, period: string) {
  return queryOptions({
    queryKey: [...overviewKey, timeZone, period],
    queryFn: ({ signal }) => getJson('overview', overviewSchema, { query: { timeZone, period }, signal }),
    placeholderData: keepPreviousData,
  })
}
