import type { QueryClient } from '@tanstack/react-query'
import { readPreferences } from '#app/ui/preferences.ts'
import { countryListOptions, countryOptions } from './country-options.ts'

/** Asks for what the page of the list will show. */
export function loadCountryList(queryClient: QueryClient): void {
  queryClient.prefetchQuery(countryListOptions(readPreferences().timeZone))
}

/** Asks for what the page of one will show. */
export function loadCountry(queryClient: QueryClient, code: string): void {
  queryClient.prefetchQuery(countryOptions({ code, timeZone: readPreferences().timeZone }))
}
