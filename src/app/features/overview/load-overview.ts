import type { QueryClient } from '@tanstack/react-query'
import { resolvePeriod } from '#app/features/periods/period-options.ts'
import { readPreferences } from '#app/ui/preferences.ts'
import { overviewOptions } from './overview-options.ts'

/** Asks for what the page will show; `period` as the address has it. */
export function loadOverview(queryClient: QueryClient, period: string | undefined): void {
  const { timeZone } = readPreferences()
  const { name } = resolvePeriod(period, { timeZone, nowMs: Date.now() })
  queryClient.prefetchQuery(overviewOptions(timeZone, name))
}
