import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { resolvePeriod } from '#app/features/periods/period-options.ts'
import { readPreferences } from '#app/ui/preferences.ts'
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

/** Asks for what the page will show; `period` as the address has it. */
export function loadOverview(queryClient: QueryClient, period: string | undefined): void {
  const { timeZone } = readPreferences()
  const { name } = resolvePeriod(period, { timeZone, nowMs: Date.now() })
  queryClient.prefetchQuery(overviewOptions(timeZone, name))
}
