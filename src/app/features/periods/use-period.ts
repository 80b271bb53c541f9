import { useSearch } from '@tanstack/react-router'
import { useTimeZone } from '#app/ui/preferences.ts'
import { useNow } from '#app/ui/use-now.ts'
import { type ChosenPeriod, resolvePeriod } from './period-options.ts'

/** Returns the period of a page's figures, from its address. */
export function usePeriod(): ChosenPeriod {
  const { period } = useSearch({ strict: false })
  return resolvePeriod(period, { timeZone: useTimeZone(), nowMs: useNow() })
}
