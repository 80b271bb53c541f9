import * as z from 'zod/mini'
import { nothingRead, ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import {
  readTallies,
  type Tallies,
  type Tally,
  type TallySource,
  toConcerns,
} from '#bff/store/index/read-tallies.ts'
import type { Clock } from '#bff/time/clock.ts'
import { type CachedAnswer, freshnessOf } from '#bff/upstream/cache/cached-answer.ts'
import { ReadCache } from '#bff/upstream/cache/read-cache.ts'
import { type ReadRequest, toReadRequest } from '#bff/upstream/cache/read-request.ts'
import type { Caller } from '#bff/upstream/client/caller.ts'
import { orProblem } from '#bff/upstream/client/to-problem.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { readCountryStatistics } from '#bff/upstream/reader/read-country-statistics.ts'
import {
  type Country,
  type CountryAnswer,
  type CountryList,
  type CountryStatistics,
  countryCodeOrNameSchema,
  countryQuerySchema,
} from '#contract/bff/country.ts'
import type { FacetName } from '#contract/bff/threat-list.ts'
import type { CountedValue } from '#contract/bff/trend.ts'
import { HOUR_MS } from '#contract/duration.ts'
import { readCountryCode } from '#contract/read-country-code.ts'

type CountryRouteDependencies = TallySource & { upstream: Upstream }

export function countryRoutes(dependencies: CountryRouteDependencies): BffRoute[] {
  const statistics = createReadStatistics(dependencies)
  return [
    defineRoute('GET /bff/countries', {
      access: 'viewer',
      query: countryQuerySchema,
      cache: 'answer',
      async answer({ query }) {
        const tallies = await readTallies(dependencies, 'country', query)
        if (!tallies.stored) throw nothingStored()
        const { freshness, freshForMs } = tallies.stored
        const countries = toCountries(tallies, query)
        const list: CountryList = { countries, days: tallies.days, period: tallies.period, freshness }
        return { json: list, freshForMs }
      },
    }),
    defineRoute('GET /bff/countries/:code', {
      access: 'viewer',
      params: z.object({ code: countryCodeOrNameSchema }),
      query: countryQuerySchema,
      cache: 'answer',
      async answer({ params, query, request, session }) {
        // A country has one cache key, however it is spelt.
        const code = readCountryCode(params.code)
        const country = code ?? params.code
        const readRequest = toReadRequest(request, session)
        const tallies = await readTallies(dependencies, 'country', query)
        const window = code === null ? null : toCountryPart(code, tallies, query)
        const part = window
          ? await statistics.glance(country, readRequest)
          : { cached: await statistics.require(country, readRequest) }
        const cached = 'cached' in part ? part.cached : null
        const statisticsTimed = cached && freshnessOf([cached])
        const timed = tallies.stored ?? statisticsTimed
        if (!timed) throw nothingStored()
        const absent = 'absent' in part ? part.absent : null
        const answer: CountryAnswer = {
          code,
          window,
          days: tallies.days,
          period: tallies.period,
          statistics: cached?.value ?? null,
          statisticsFreshness: statisticsTimed?.freshness ?? null,
          absent,
          freshness: timed.freshness,
        }
        return { json: answer, freshForMs: absent?.isComing ? 0 : timed.freshForMs }
      },
    }),
  ]
}

function nothingStored(): ProblemError {
  return nothingRead(
    'Countries are counted from the threats of the last 30 days, which are still to be read.',
  )
}

const TOP_MAX_COUNT = 10

type Interests = Parameters<Tallies['countConcerns']>[0]

/** Countries of the period and the one before, most threats first. */
function toCountries(tallies: Tallies, interests: Interests): Country[] {
  const concernsOf = countConcerns(tallies, interests)
  return [...tallies.byTerm.values()]
    .map((tally) => ({ ...toCountry(tally.value, tally, tallies), ...concernsOf(tally.value) }))
    .filter(({ threats, compared }) => threats > 0 || (compared?.previous ?? 0) > 0)
    .sort((a, b) => sizeOf(b) - sizeOf(a) || (a.code < b.code ? -1 : 1))
}

/** The stored threats' figures of a country; zeros where nothing is stored of it. */
function toCountryPart(code: string, tallies: Tallies, interests: Interests): CountryAnswer['window'] {
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

const MAX_BYTES = 8 * 1024 * 1024
/** They cover 30 days: a call for each view would bring nothing new. */
const FRESH_FOR_MS = 6 * HOUR_MS
/** A page that has figures of its own waits this long for them. */
const PATIENCE_MS = 600

type StatisticsPart =
  | { cached: CachedAnswer<CountryStatistics> }
  | { absent: NonNullable<CountryAnswer['absent']> }

/** The vendor's own statistics of a country. */
function createReadStatistics({ upstream, clock }: { upstream: Upstream; clock: Clock }) {
  const cache = new ReadCache<CountryStatistics>({
    clock,
    generation: upstream.generation,
    maxBytes: MAX_BYTES,
    isShared: true,
    freshForMs: () => FRESH_FOR_MS,
  })

  async function load(country: string, caller: Caller): Promise<CountryStatistics> {
    const body = await upstream.call('readCountry', { country }, caller)
    const statistics = readCountryStatistics(country, body, clock.nowMs())
    if (!statistics)
      throw new UpstreamError({ set: 'v1', kind: 'unreadable', reason: 'no statistics of the country' })
    return statistics
  }

  async function read(country: string, request: ReadRequest): Promise<CachedAnswer<CountryStatistics>> {
    try {
      return await cache.read(country, (caller) => load(country, caller), request)
    } catch (error) {
      throw error instanceof UpstreamError && error.kind === 'not_found' ? noStatistics(error) : error
    }
  }

  const require = (country: string, request: ReadRequest) => orProblem(() => read(country, request))

  return {
    /** Waits for the statistics, for a page that has nothing else to show; fails if there are none. */
    require,
    /** For a page that has figures of its own: waits briefly, and reports why there are none. */
    async glance(country: string, request: ReadRequest): Promise<StatisticsPart> {
      const patience = AbortSignal.timeout(PATIENCE_MS)
      const signal = request.isRefresh ? request.signal : AbortSignal.any([request.signal, patience])
      try {
        return { cached: await require(country, { ...request, signal }) }
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        const { code, detail } = error.problem
        const isComing = code === 'upstream_timeout' && patience.aborted && !request.isRefresh
        return { absent: { code, reason: detail, isComing } }
      }
    },
  }
}

function noStatistics(cause: UpstreamError): ProblemError {
  const detail = 'The vendor has no statistics for this country.'
  return new ProblemError({ code: 'not_found', detail, set: 'v1', cause })
}
