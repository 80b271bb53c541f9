import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { resolvePeriod } from '#app/features/periods/period-options.ts'
import type { PeriodSearch } from '#app/features/periods/period-search.ts'
import { readPreferences } from '#app/ui/preferences.ts'
import { trendAnswerSchema } from '#contract/bff/trend.ts'
import type { TrendQuery } from '#contract/bff/trend-query.ts'

/** Which threats a trend counts: a filter, a period, and the name by whose values the counts are split. */
export type TrendScope = Omit<TrendQuery, 'timeZone'>

/** A period of a zone, and the one before; from the store, free. */
export function trendOptions(scope: TrendScope, timeZone: string) {
  return queryOptions({
    queryKey: ['trends', scope, timeZone],
    queryFn: ({ signal }) => getJson('trends', trendAnswerSchema, { query: { ...scope, timeZone }, signal }),
    // While another period is on its way, the chart keeps its place.
    placeholderData: keepPreviousData,
  })
}

/** Asks for what a panel of this scope will draw; `period` as the address has it. */
export function loadTrend(
  queryClient: QueryClient,
  { period, rows = 'cases', ...scope }: Omit<TrendScope, 'period'> & PeriodSearch,
): void {
  const { timeZone } = readPreferences()
  const { name } = resolvePeriod(period, { timeZone, nowMs: Date.now() })
  queryClient.prefetchQuery(trendOptions({ ...scope, period: name, rows }, timeZone))
}
