import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { resolvePeriod } from '#app/features/periods/period-options.ts'
import type { PeriodSearch } from '#app/features/periods/period-search.ts'
import { readPreferences } from '#app/ui/preferences.ts'
import type { RowKind } from '#contract/bff/arrangement.ts'
import { overviewSchema } from '#contract/bff/overview.ts'

export const overviewKey = ['overview'] as const

type OverviewScope = { timeZone: string; period: string; rows: RowKind }

/** Answered from stored threats, without a call. */
export function overviewOptions({ timeZone, period, rows }: OverviewScope) {
  return queryOptions({
    queryKey: [...overviewKey, timeZone, period, rows],
    queryFn: ({ signal }) =>
      getJson('overview', overviewSchema, { query: { timeZone, period, rows }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Asks for what the page will show; `period` as the address has it. */
export function loadOverview(queryClient: QueryClient, { period, rows = 'cases' }: PeriodSearch): void {
  const { timeZone } = readPreferences()
  const { name } = resolvePeriod(period, { timeZone, nowMs: Date.now() })
  queryClient.prefetchQuery(overviewOptions({ timeZone, period: name, rows }))
}
