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
  threats: (a, b) => b.threats - a.threats,
  change: (a, b) => changeOf(b) - changeOf(a),
  actors: (a, b) => b.actors - a.actors,
  victims: (a, b) => b.victims - a.victims,
  latest: (a, b) => timeOf(b) - timeOf(a),
  name: byName,
}

function changeOf({ compared }: Country): number {
  return compared === null ? -Number.MAX_SAFE_INTEGER : compared.count - compared.previous
}

function timeOf({ latestAt }: Country): number {
  return latestAt === null ? 0 : Date.parse(latestAt)
}

function byName(a: Country, b: Country): number {
  return countryName(a.code).localeCompare(countryName(b.code), 'en')
}
