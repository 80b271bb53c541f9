import { type Tallies, type Tally, toConcerns } from '#bff/store/index/read-tallies.ts'
import type { CountedValue } from '#contract/bff/comparison.ts'
import type { Country, CountryAnswer } from '#contract/bff/country.ts'
import type { FacetName } from '#contract/bff/threat-list.ts'

const TOP_MAX_COUNT = 10

type Interests = Parameters<Tallies['countConcerns']>[0]

/** Countries of the period and the one before, most threats first. */
export function toCountries(tallies: Tallies, interests: Interests): Country[] {
  const concernsOf = countConcerns(tallies, interests)
  return [...tallies.byTerm.values()]
    .map((tally) => ({ ...toCountry(tally.value, tally, tallies), ...concernsOf(tally.value) }))
    .filter(({ threats, compared }) => threats > 0 || (compared?.previous ?? 0) > 0)
    .sort((a, b) => sizeOf(b) - sizeOf(a) || (a.code < b.code ? -1 : 1))
}

/** The window's figures of a country; zeros where nothing is stored of it. */
export function toCountryPart(code: string, tallies: Tallies, interests: Interests): CountryAnswer['window'] {
  if (!tallies.stored) return null
  const tally = tallies.byTerm.get(`country:${code}`) ?? null
  const top = (name: FacetName) => countedOf(tally, name).slice(0, TOP_MAX_COUNT)
  return {
    ...toCountry(code, tally, tallies),
    ...countConcerns(tallies, interests)(code),
    topActors: top('actor'),
    topIndustries: top('industry'),
    categories: top('category'),
    severities: top('severity'),
  }
}

/** Counts the threats of each of the reader’s own countries that are in one of the reader’s own industries. */
function countConcerns(
  tallies: Tallies,
  interests: Interests,
): (code: string) => Pick<Country, 'concerns' | 'concernCases'> {
  const counts = tallies.countConcerns(interests)
  const own = new Set(interests.country)
  return (code) => toConcerns(own.has(code) ? counts : null, `country:${code}`, tallies)
}

function sizeOf({ cases, threats }: Country): number {
  return cases ?? threats
}

function toCountry(
  code: string,
  tally: Tally | null,
  { none }: Tallies,
): Omit<Country, 'concerns' | 'concernCases'> {
  const { caseCounts } = tally ?? none
  return {
    code,
    threats: tally?.count ?? 0,
    ...(caseCounts && { cases: tally?.cases ?? 0, caseCounts }),
    compared: tally?.compared ?? null,
    actors: countedOf(tally, 'actor').length,
    latestAt: tally?.latestAt ?? null,
    counts: tally?.counts ?? none.counts,
    victims: tally?.victims ?? 0,
  }
}

function countedOf(tally: Tally | null, name: FacetName): CountedValue[] {
  return [...(tally?.others.get(name) ?? [])]
}
