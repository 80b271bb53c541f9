import type { Tallies, Tally } from '#bff/store/index/read-tallies.ts'
import type { Country, CountryAnswer } from '#contract/bff/country.ts'
import type { FacetName } from '#contract/bff/threat-list.ts'

const TOP_MAX_COUNT = 10

type Interests = Parameters<Tallies['countConcerns']>[0]

/** Countries of the period and the one before, most threats first. */
export function toCountries(tallies: Tallies, interests: Interests): Country[] {
  const concernsOf = countConcerns(tallies, interests)
  return [...tallies.byTerm.values()]
    .map((tally) => ({ ...toCountry(tally.value, tally, tallies), concerns: concernsOf(tally.value) }))
    .filter(({ threats, compared }) => threats > 0 || (compared?.previous ?? 0) > 0)
    .sort((a, b) => b.threats - a.threats || (a.code < b.code ? -1 : 1))
}

/** The window's figures of a country; zeros where nothing is stored of it. */
export function toCountryPart(code: string, tallies: Tallies, interests: Interests): CountryAnswer['window'] {
  if (!tallies.stored) return null
  const tally = tallies.byTerm.get(`country:${code}`) ?? null
  const top = (name: FacetName) => countedOf(tally, name).slice(0, TOP_MAX_COUNT)
  return {
    ...toCountry(code, tally, tallies),
    concerns: countConcerns(tallies, interests)(code),
    topActors: top('actor'),
    topIndustries: top('industry'),
    categories: top('category'),
    severities: top('severity'),
  }
}

/** Counts the threats of each of the reader’s own countries that are in one of the reader’s own industries. */
function countConcerns(tallies: Tallies, interests: Interests): (code: string) => number | null {
  const counts = tallies.countConcerns(interests)
  const own = new Set(interests.country)
  return (code) => (counts && own.has(code) ? (counts.get(`country:${code}`) ?? 0) : null)
}

function toCountry(code: string, tally: Tally | null, { none }: Tallies): Omit<Country, 'concerns'> {
  return {
    code,
    threats: tally?.count ?? 0,
    compared: tally?.compared ?? null,
    actors: countedOf(tally, 'actor').length,
    latestAt: tally?.latestAt ?? null,
    counts: tally?.counts ?? none.counts,
    victims: tally?.victims ?? 0,
  }
}

function countedOf(tally: Tally | null, name: FacetName): { value: string; count: number }[] {
  return (tally?.others.get(name) ?? []).map(({ value, count }) => ({ value, count }))
}
