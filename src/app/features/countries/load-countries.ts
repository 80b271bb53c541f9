import type { QueryClient } from '@tanstack/react-query'
import { resolvePeriod } from '#app/features/periods/period-options.ts'
import type { PeriodSearch } from '#app/features/periods/period-search.ts'
import { readPreferences } from '#app/ui/preferences.ts'
import { countryListOptions, countryOptions } from './country-options.ts'

/** Asks for what the page of the list will show; `period` as the address has it. */
export function loadCountryList(queryClient: QueryClient, { period, rows = 'cases' }: PeriodSearch): void {
  const { timeZone, countries, industries } = readPreferences()
  queryClient.prefetchQuery(
    countryListOptions({ period: nameOf(period, timeZone), rows, timeZone, own: { countries, industries } }),
  )
}

/** Asks for what the page of one will show. */
export function loadCountry(
  queryClient: QueryClient,
  { code, period, rows = 'cases' }: { code: string } & PeriodSearch,
): void {
  const { timeZone, countries, industries } = readPreferences()
  queryClient.prefetchQuery(
    countryOptions({
      code,
      period: nameOf(period, timeZone),
      rows,
      timeZone,
      own: { countries, industries },
    }),
  )
}

function nameOf(period: string | undefined, timeZone: string): string {
  return resolvePeriod(period, { timeZone, nowMs: Date.now() }).name
}
