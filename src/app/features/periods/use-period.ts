import { useTimeZone } from '#app/ui/preferences.ts'
import { useNow } from '#app/ui/use-now.ts'
import { type ChosenPeriod, resolvePeriod } from './period-options.ts'
import type { PeriodSearch } from './period-search.ts'

/** What a page's figures are of, by its address. */
export function usePeriod({ period }: PeriodSearch): ChosenPeriod {
  return resolvePeriod(period, { timeZone: useTimeZone(), nowMs: useNow() })
}
