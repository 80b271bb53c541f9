import type { Country, CountryAnswer, CountryList } from '#contract/bff/country.ts'

const FRESH = {
  fetchedAt: '2026-04-10T12:00:00.000Z',
  isStale: false,
  staleReason: null,
  covers: { from: '2026-02-08T00:00:00.000Z', to: '2026-04-10T12:00:00.000Z' },
}

/** The 30 days to the 10th of April. */
const DAYS = Array.from({ length: 30 }, (_, at) => ({
  date: new Date(Date.parse('2026-03-12') + at * 86_400_000).toISOString().slice(0, 10),
  coverage: 'whole' as const,
}))

/** What a key that reads a week back has filled. */
export const WEEK_HELD = { ...FRESH, covers: { ...FRESH.covers, from: '2026-04-03T12:00:00.000Z' } }

export function makeCountry(code: string, threats: number, some: Partial<Country> = {}): Country {
  return {
    code,
    threats,
    previousThreats: 2,
    actors: 3,
    victims: 4,
    latestAt: '2026-04-09T01:00:00.000Z',
    counts: DAYS.map(() => 0),
    ...some,
  }
}

export function makeCountryList(countries: Country[]): CountryList {
  return { countries, days: DAYS, freshness: FRESH }
}

export function makeCountryAnswer(code: string, some: Partial<CountryAnswer> = {}): CountryAnswer {
  return {
    code,
    window: {
      ...makeCountry(code, 12),
      topActors: [{ value: 'LockBit', count: 9 }],
      topIndustries: [{ value: 'Energy', count: 5 }],
      categories: [{ value: 'Ransomware', count: 12 }],
      severities: [],
    },
    days: DAYS,
    statistics: null,
    statisticsFreshness: null,
    absent: { code: 'daily_limit_reached', reason: 'The calls of this day are used up.', isComing: false },
    freshness: FRESH,
    ...some,
  }
}

export const STATISTICS = {
  statistics: {
    code: 'DE',
    name: 'Germany',
    threats: 640,
    actors: 103,
    victims: 77,
    topActors: [{ name: 'Play', count: 4 }],
    topIndustries: [{ name: 'Retail', count: null }],
    trend: [
      { date: '2026-04-01', count: 1 },
      { date: '2026-04-03', count: 3 },
    ],
    summary: 'Mostly ransomware, see http://evil.example',
    otherFields: [],
  },
  statisticsFreshness: FRESH,
  absent: null,
} satisfies Partial<CountryAnswer>
