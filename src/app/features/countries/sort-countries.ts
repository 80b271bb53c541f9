import { rowNoun, shownComparison, shownCount } from '#app/format/counted-rows.ts'
import { countryName } from '#app/format/country-name.ts'
import type { Country } from '#contract/bff/country.ts'
import type { CountrySearch, CountrySort } from './country-search.ts'

/** Greatest or newest first, names from A; `reverse` the other way round. */
export function sortCountries(
  countries: readonly Country[],
  { sort = 'threats', order }: CountrySearch,
): Country[] {
  const sign = order === 'reverse' ? -1 : 1
  return countries.toSorted((a, b) => sign * ORDERS[sort](a, b) || byName(a, b))
}

const ORDERS: Readonly<Record<CountrySort, (a: Country, b: Country) => number>> = {
  threats: (a, b) => threatsOf(b) - threatsOf(a),
  change: (a, b) => changeOf(b) - changeOf(a),
  actors: (a, b) => b.actors - a.actors,
  victims: (a, b) => b.victims - a.victims,
  latest: (a, b) => timeOf(b) - timeOf(a),
  name: byName,
}

/** The unit of a list's figures. */
export function nounsOf(countries: readonly Country[]): 'cases' | 'claims' {
  return `${rowNoun(countries[0] ?? {})}s`
}

/** The count that the page shows. */
export function threatsOf({ threats, cases }: Country): number {
  return shownCount({ count: threats, cases })
}

function changeOf(country: Country): number {
  const compared = shownComparison(country.compared)
  return compared === null ? -Number.MAX_SAFE_INTEGER : compared.count - compared.previous
}

function timeOf({ latestAt }: Country): number {
  return latestAt === null ? 0 : Date.parse(latestAt)
}

function byName(a: Country, b: Country): number {
  return countryName(a.code).localeCompare(countryName(b.code), 'en')
}
