import type { QueryClient } from '@tanstack/react-query'
import { resolvePeriod } from '#app/features/periods/period-options.ts'
import { readPreferences } from '#app/ui/preferences.ts'
import { type TrendScope, trendOptions } from './trend-options.ts'

/** Asks for what a panel of this scope will draw; `period` as the address has it. */
export function loadTrend(
  queryClient: QueryClient,
  { period, ...scope }: Omit<TrendScope, 'period'> & { period: string | undefined },
): void {
  const { timeZone } = readPreferences()
  const { name } = resolvePeriod(period, { timeZone, nowMs: Date.now() })
  queryClient.prefetchQuery(trendOptions({ ...scope, period: name }, timeZone))
}
