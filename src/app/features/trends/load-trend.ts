import type { QueryClient } from '@tanstack/react-query'
import { readPreferences } from '#app/ui/preferences.ts'
import { type TrendQuestion, trendOptions } from './trend-options.ts'

/** Asks for what a panel of this question will draw. */
export function loadTrend(queryClient: QueryClient, question: TrendQuestion): void {
  queryClient.prefetchQuery(trendOptions(question, readPreferences().timeZone))
}
