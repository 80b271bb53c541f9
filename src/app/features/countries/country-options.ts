import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import type { OwnInterests } from '#app/features/actors/actor-options.ts'
import type { RowKind } from '#contract/bff/arrangement.ts'
import { countryAnswerSchema, countryListSchema } from '#contract/bff/country.ts'

/** The query repeats until the vendor's part has arrived. */
const COMING_MS = 1_500

/** Answered from stored threats, without a call. */
export function countryListOptions({ own, ...scope }: Omit<CountryScope, 'code'>) {
  const query = { ...scope, country: own.countries, industry: own.industries }
  return queryOptions({
    queryKey: ['countries', 'list', query],
    queryFn: ({ signal }) => getJson('countries', countryListSchema, { query, signal }),
    placeholderData: keepPreviousData,
  })
}

export type CountryScope = {
  code: string
  period: string
  rows: RowKind
  timeZone: string
  own: OwnInterests
}

function fetchCountry(
  { code, period, rows, timeZone, own }: CountryScope,
  options: { signal?: AbortSignal; refresh?: boolean },
) {
  return getJson(`countries/${encodeURIComponent(code.toWellFormed())}`, countryAnswerSchema, {
    query: { period, rows, timeZone, country: own.countries, industry: own.industries },
    ...options,
  })
}

/** Answered from stored threats. The vendor's part costs a call if it was not read in the last hours. */
export function countryOptions(scope: CountryScope) {
  return queryOptions({
    queryKey: ['countries', 'one', scope],
    queryFn: ({ signal }) => fetchCountry(scope, { signal }),
    // The page is keyed by the country: what stays until the next answer is another period of the same.
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.absent?.isComing ? COMING_MS : false),
  })
}

/** Spends a call for what is newer. */
export function refreshCountry(scope: CountryScope) {
  return fetchCountry(scope, { refresh: true })
}
