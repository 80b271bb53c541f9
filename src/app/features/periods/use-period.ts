import { useTimeZone } from '#app/ui/preferences.ts'
import { useNow } from '#app/ui/use-now.ts'
import { type ChosenPeriod, resolvePeriod } from './period-options.ts'
import type { PeriodSearch } from './period-search.ts'

/** Returns the period of a page's figures, from its address. */
export function usePeriod({ period }: PeriodSearch): ChosenPeriod {
  return resolvePeriod(period, { timeZone: useTimeZone(), nowMs: useNow() })
}
