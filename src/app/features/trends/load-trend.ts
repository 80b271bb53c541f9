import type { QueryClient } from '@tanstack/react-query'
import { readPreferences } from '#app/ui/preferences.ts'
import { type TrendScope, trendOptions } from './trend-options.ts'

/** Asks for what a panel of this scope will draw. */
export function loadTrend(queryClient: QueryClient, scope: TrendScope): void {
  queryClient.prefetchQuery(trendOptions(scope, readPreferences().timeZone))
}
